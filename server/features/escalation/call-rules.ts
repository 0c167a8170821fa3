import { openerWords } from '@porchlight/contract/words/openers.ts';
import type { Db } from '../../db/open.ts';
import type { CallPurposeRules, CallRow } from '../../notifications/calls/call-script.ts';
import { nameOrThePerson } from '../../texts/at-computer.ts';
import type { EscalatedIncidents, EscalationState, Escalations } from './escalations.ts';
import type { UserAt } from './people.ts';
import type { EscalationStore } from './store.ts';
import { type CallWordsFacts, guardianCall, personCall } from './words.ts';

export interface CallRuleDeps {
  db: Db;
  store: EscalationStore;
  escalations: Pick<Escalations, 'onIt' | 'callEnded' | 'stateOf'>;
  lockedIncident: EscalatedIncidents['lockedIncident'];
  /** Whether this person's number proves who answers (P10.2): a key that a scammer presses on a number of their own changes nothing. */
  hasProvenPhone(person: { account: string; person: string }): Promise<boolean>;
  userAt: UserAt;
  /** Whether a program was ended since the incident opened. */
  hasStopped(incident: string): Promise<boolean>;
}

const personOf = ({ account, guardian }: CallRow): string => guardian ?? account;

/** What an escalation's calls to guardians say, and what their keys do (P11.1). */
export function guardianCallRules(deps: CallRuleDeps): CallPurposeRules {
  const { db, store, escalations } = deps;

  /** Null if nothing is left to answer. */
  const askedIn = async (call: CallRow): Promise<EscalationState | null> => {
    const state = call.incident === null ? null : await escalations.stateOf(call.incident);
    return state?.incident.open && state.state !== 'answered' ? state : null;
  };

  const factsOf = async (call: CallRow, { incident, escalation }: EscalationState): Promise<CallWordsFacts> => {
    const user = await deps.userAt(incident);
    return {
      name: call.name,
      happened: openerWords[escalation.opener](escalation.what, incident.device_name),
      user: nameOrThePerson(user),
      number: user.number,
      keys: await deps.hasProvenPhone({ account: call.account, person: personOf(call) }),
    };
  };

  const needless = async (call: CallRow) => {
    const since = call.incident && (await store.latest(call.incident))?.begun;
    return guardianCall.needless(call.name, call.incident && since ? await store.whoIsOnIt(call.incident, since) : null);
  };

  return {
    async script(call, by) {
      const asked = await askedIn(call);
      if (!asked) return needless(call);
      const facts = await factsOf(call, asked);
      return by === 'machine' ? guardianCall.voicemail(facts) : guardianCall.asks(facts);
    },

    async pressed(call, key) {
      const asked = await askedIn(call);
      if (!asked) return needless(call);
      const facts = await factsOf(call, asked);
      if (key !== '1' || !facts.keys) return guardianCall.otherKey(facts);
      await db.transaction().execute(async (trx) => {
        const locked = await deps.lockedIncident(trx, asked.incident.uuid);
        if (locked) await escalations.onIt(trx, locked.uuid, { person: personOf(call), name: call.name });
      });
      return guardianCall.thanks(facts);
    },

    ended: escalations.callEnded,
  };
}

/** The call to the user of the computer, who agreed to it (P11.1). It asks for nothing. */
export function personCallRules({
  store,
  escalations,
  hasStopped,
}: Pick<CallRuleDeps, 'store' | 'escalations' | 'hasStopped'>): CallPurposeRules {
  const script = async ({ incident }: CallRow) => {
    if (incident === null) return personCall(null, false);
    return personCall((await store.latest(incident))?.opener ?? null, await hasStopped(incident));
  };
  return { script, pressed: script, ended: escalations.callEnded };
}
