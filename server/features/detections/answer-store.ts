import type { AlertAnswer } from '@porchlight/contract/detections.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

const sorted_max = 200;

export type AnswerStore = ReturnType<typeof answerStore>;

export interface Answered {
  device: string;
  uuid: string;
}

/** `person`: a guardian, or the account if the holder answered. `name`: as shown to other people. */
export interface Answerer {
  account: string;
  person: string;
  name: string;
}

const answerColumns = ['account', 'person', 'answer', 'name', 'time'] as const;
/** The values of `answerColumns`. */
const answerOf = ({ account, person, name }: Answerer, answer: AlertAnswer['answer'], time: Date) =>
  [
    sql<string>`${account}::uuid`.as('account'),
    sql<string>`${person}::uuid`.as('person'),
    sql<AlertAnswer['answer']>`${answer}::text`.as('answer'),
    sql<string>`${name}::text`.as('name'),
    sql<Date>`${time}::timestamptz`.as('time'),
  ] as const;

/** Answers to alerts, which remain after their guardian is removed. */
export function answerStore(db: Db, clock: Clock) {
  return {
    /** Stores an answer; a repetition changes nothing. */
    add: (connection: Db | Trx, who: Answerer, { device, uuid: alert }: Answered, answer: AlertAnswer['answer']) =>
      connection
        .insertInto('alert_answers')
        .columns(['device', 'alert', ...answerColumns])
        .expression((q) =>
          q
            .selectFrom('devices')
            .select(['uuid', sql<string>`${alert}::uuid`.as('alert'), ...answerOf(who, answer, clock.now())])
            .where('uuid', '=', device)
            // Waits for a removal in progress.
            .forKeyShare(),
        )
        .onConflict((oc) => oc.doNothing())
        .execute(),

    /** Marks the alerts of a device since a time as sorted, at most the newest 200: a program that starts again and again makes many. */
    sortAll: (trx: Trx, who: Answerer, device: string, since: Date) =>
      trx
        .insertInto('alert_answers')
        .columns(['device', 'alert', ...answerColumns])
        .expression((q) =>
          q
            .selectFrom('detections')
            .select(['device', 'uuid', ...answerOf(who, 'sorted', clock.now())])
            .where('device', '=', device)
            .where('counted_into', 'is', null)
            .where('time', '>=', since)
            .orderBy('time', 'desc')
            .limit(sorted_max),
        )
        .onConflict((oc) => oc.doNothing())
        .execute(),

    /** Answers by alert, newest first. `reader`: whose own answers are marked. `nameOf`: how others see a guardian's name. */
    async of(
      account: string,
      alerts: string[],
      reader: string,
      nameOf: (name: string) => string = (name) => name,
    ): Promise<Map<string, AlertAnswer[]>> {
      const answersOfAlerts = new Map<string, AlertAnswer[]>(alerts.map((alert) => [alert, []]));
      if (alerts.length === 0) return answersOfAlerts;
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
        answersOfAlerts.get(alert)?.push({ answer, by: you ? name : nameOf(name), you, time: time.toISOString() });
      }
      return answersOfAlerts;
    },

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

    async addWrong(trx: Trx, account: string, { device, uuid: alert }: Answered): Promise<boolean> {
      const insertedRow = await trx
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
      return insertedRow !== undefined;
    },
  };
}
