import { Unsent } from '../../jobs/unsent.ts';
import { PermanentJobError } from '../../jobs/worker.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Budgets } from '../../texts/budgets.ts';
import { type Countries, isInCountries } from '../../texts/phone.ts';
import type { CallRules } from './call-script.ts';
import { call_wanted_for } from './call-state.ts';
import type { CallStore } from './call-store.ts';

/** `message`: for the log, without the number. */
export type CallOutcome = { kind: 'taken' } | { kind: 'refused'; message: string } | { kind: 'failed'; reason: Unsent };

export interface CallJobDeps {
  clock: Clock;
  store: Pick<CallStore, 'get' | 'report'>;
  rules: CallRules;
  /** Null: this server makes no calls. */
  call: ((call: { id: string; to: string }) => Promise<CallOutcome>) | null;
  isOptedOut(number: string): Promise<boolean>;
  countries: Countries;
  budgets: Pick<Budgets, 'spend' | 'giveBack'>;
}

/** Makes a call, while it is of use. A call that cannot be made is over, so that an escalation goes on at once. */
export function callJob({ clock, store, rules, call: makeCall, isOptedOut, countries, budgets }: CallJobDeps) {
  return async ({ call: uuid, to }: { call: string; to: string }): Promise<void> => {
    const call = await store.get(uuid);
    // The service took it at an earlier attempt, whose result was not stored.
    if (call?.state !== 'queued') return;
    const refuse = async (message: string, why?: string): Promise<never> => {
      await store.report(uuid, 'failed', rules);
      throw new PermanentJobError(message, why);
    };
    if (makeCall === null) return refuse('calls are switched off');
    if (after(call.created, call_wanted_for) <= clock.now()) return refuse('it came too late to be of use', 'too_late');
    if (await isOptedOut(to)) return refuse('the number has asked for no calls', 'opted_out');
    if (!isInCountries(countries, to)) return refuse('no calls go to that country', 'country');
    // Calls for consent are asked for by people, as codes are, and cannot use up the alerts of others.
    const budget = call.purpose === 'consent' ? 'codes' : 'alerts';
    if (!(await budgets.spend(budget))) return refuse('the texts and calls of today are used up', 'budget');
    const outcome = await makeCall({ id: uuid, to });
    // An accepted call is not made again because its state could not be stored: the service reports it too.
    if (outcome.kind === 'taken') return store.report(uuid, 'ringing', rules).catch(() => {});
    await budgets.giveBack(budget);
    if (outcome.kind === 'refused') return refuse(outcome.message);
    throw outcome.reason;
  };
}
