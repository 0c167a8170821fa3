import type { AlertAnswer } from '@porchlight/contract/detections.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type AnswerStore = ReturnType<typeof answerStore>;

/** An alert, and the device that it goes with. */
export interface Answered {
  device: string;
  uuid: string;
}

/** The person who answers an alert: the account itself for its holder. `name`: as the others read it. */
export interface Answerer {
  account: string;
  person: string;
  name: string;
}

/** Stores the answers to alerts. An answer outlasts the guardian who gave it. */
export function answerStore(db: Db, clock: Clock) {
  return {
    /** The first time counts. */
    add: (on: Db | Trx, { account, person, name }: Answerer, { device, uuid: alert }: Answered, answer: AlertAnswer['answer']) =>
      on
        .insertInto('alert_answers')
        .columns(['account', 'device', 'alert', 'person', 'answer', 'name', 'time'])
        .expression((q) =>
          q
            .selectFrom('devices')
            .select([
              sql<string>`${account}::uuid`.as('account'),
              'uuid',
              sql<string>`${alert}::uuid`.as('alert'),
              sql<string>`${person}::uuid`.as('person'),
              sql<AlertAnswer['answer']>`${answer}::text`.as('answer'),
              sql<string>`${name}::text`.as('name'),
              sql<Date>`${clock.now()}::timestamptz`.as('time'),
            ])
            .where('uuid', '=', device)
            // A removal that is under way is waited for; then there is nothing to answer.
            .forKeyShare(),
        )
        .onConflict((oc) => oc.doNothing())
        .execute(),

    /** Of each of these alerts, the newest first. `reader`: whose own answers are marked. `nameOf`: what others read of a guardian's name. */
    async of(
      account: string,
      alerts: string[],
      reader: string,
      nameOf: (name: string) => string = (name) => name,
    ): Promise<Map<string, AlertAnswer[]>> {
      const found = new Map<string, AlertAnswer[]>(alerts.map((alert) => [alert, []]));
      if (alerts.length === 0) return found;
      const rows = await db
        .selectFrom('alert_answers')
        .selectAll()
        .where('account', '=', account)
        .where('alert', 'in', alerts)
        .orderBy('time', 'desc')
        .orderBy('person')
        .orderBy('answer')
        .execute();
      for (const { alert, answer, person, name, time } of rows) {
        const you = person === reader;
        found.get(alert)?.push({ answer, by: you ? name : nameOf(name), you, time: time.toISOString() });
      }
      return found;
    },

    /** Which of these alerts the holder called wrong. */
    async wrongOf(account: string, alerts: string[]): Promise<Set<string>> {
      if (alerts.length === 0) return new Set();
      const rows = await db
        .selectFrom('wrong_alerts')
        .select('alert')
        .where('account', '=', account)
        .where('alert', 'in', alerts)
        .execute();
      return new Set(rows.map(({ alert }) => alert));
    },

    /** False when it was called wrong before. */
    async addWrong(trx: Trx, account: string, { device, uuid: alert }: Answered): Promise<boolean> {
      const added = await trx
        .insertInto('wrong_alerts')
        .columns(['account', 'device', 'alert', 'time'])
        .expression((q) =>
          q
            .selectFrom('devices')
            .select([
              sql<string>`${account}::uuid`.as('account'),
              'uuid',
              sql<string>`${alert}::uuid`.as('alert'),
              sql<Date>`${clock.now()}::timestamptz`.as('time'),
            ])
            .where('uuid', '=', device)
            .forKeyShare(),
        )
        .onConflict((oc) => oc.doNothing())
        .returning('alert')
        .executeTakeFirst();
      return added !== undefined;
    },
  };
}
