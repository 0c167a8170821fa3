import { day } from '@porchlight/contract/time.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { Refusal } from '../../lib/errors.ts';
import { nameOrThePerson } from '../../texts/at-computer.ts';
import type { EscalatedIncidents, Escalations } from './escalations.ts';
import type { Replier, UserAt } from './people.ts';
import type { EscalationStore } from './store.ts';
import { replyTexts } from './words.ts';

export interface TextReplyDeps extends EscalatedIncidents, Pick<Kernel, 'db' | 'limit'> {
  store: EscalationStore;
  escalations: Pick<Escalations, 'onIt'>;
  /** Those with this verified number. */
  repliersWith(number: string): Promise<Replier[]>;
  /** Whether this person's answer is of use at that computer: nobody answers for their own. */
  mayReply(place: { account: string; device: string }, replier: Replier, connection: Db | Trx): Promise<boolean>;
  hasProvenPhone(person: { account: string; person: string }): Promise<boolean>;
  userAt: UserAt;
}

/** A text `1` means *I’m on it* (P11.1). Returns the text that answers it; null for silence. */
export function textReplies(deps: TextReplyDeps) {
  const { db, store } = deps;

  /** Once a day for a number: a text costs money, and two machines would answer each other without end. */
  const once = async (number: string, text: string): Promise<string | null> => {
    try {
      await deps.limit('text-reply', number, { max: 1, per: day });
      return text;
    } catch (err) {
      if (err instanceof Refusal) return null;
      throw err;
    }
  };

  /** The newest incident that waits for one of them. */
  const waitingFor = async (repliers: Replier[]) => {
    const accounts = [...new Set(repliers.map(({ account }) => account))];
    for (const escalation of await store.unansweredOf(db, accounts)) {
      const incident = await deps.incidentOf(escalation.incident, db);
      if (!incident?.open) continue;
      for (const replier of repliers.filter(({ account }) => account === escalation.account)) {
        if (await deps.mayReply(escalation, replier, db)) return { ...escalation, replier };
      }
    }
    return null;
  };

  return async (number: string): Promise<string | null> => {
    const waiting = await waitingFor(await deps.repliersWith(number));
    if (!waiting) return once(number, replyTexts.nothing);
    const { incident: uuid, replier, begun } = waiting;
    if (!(await deps.hasProvenPhone(replier))) return once(number, replyTexts.openPage);
    const others = await store.whoIsOnIt(uuid, begun);
    const incident = await db.transaction().execute(async (trx) => {
      const locked = await deps.lockedIncident(trx, uuid);
      if (locked) await deps.escalations.onIt(trx, uuid, replier);
      return locked;
    });
    if (!incident) return once(number, replyTexts.nothing);
    const user = await deps.userAt(incident);
    return others === null || others === replier.name ? replyTexts.thanks(nameOrThePerson(user), user.number) : replyTexts.already(others);
  };
}
