import type { JobHandlers } from '../../jobs/worker.ts';
import { PermanentJobError } from '../../jobs/worker.ts';
import type { Budgets } from '../../lib/budgets.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { type Countries, isInCountries } from '../../lib/phone.ts';
import type { CallRow, CallRules } from './call-script.ts';
import { call_wanted_for } from './call-state.ts';
import type { CallStore } from './call-store.ts';

/** Asks the telephone service to call a number (E.164). Rejects when it may be asked again. */
export type MakeCall = (id: string, to: string) => Promise<{ accepted: true } | { accepted: false; reason: string }>;

export interface CallJobDeps {
  clock: Clock;
  store: Pick<CallStore, 'get' | 'report'>;
  rules: CallRules;
  optedOut(number: string): Promise<boolean>;
  budgets: Pick<Budgets, 'spend' | 'giveBack'>;
  countries: Countries;
  /** Null with calls switched off. */
  makeCall: MakeCall | null;
}

interface Refusal {
  message: string;
  why?: string;
}

/** Makes a call that was placed, or stores that it failed. A call is of use at once or not at all (P11.1). */
export function callJob({ clock, store, rules, optedOut, budgets, countries, makeCall }: CallJobDeps): JobHandlers['call'] {
  const refusalOf = async ({ created, phone_number }: CallRow): Promise<Refusal | null> => {
    if (after(created, call_wanted_for) <= clock.now()) return { message: 'it came too late to be of use', why: 'too_late' };
    if (await optedOut(phone_number)) return { message: 'the number has asked for no calls', why: 'opted_out' };
    return isInCountries(countries, phone_number) ? null : { message: 'no calls go to that country', why: 'country' };
  };

  /** Spends the budget for a call, and gives it back if the call was not made. */
  const attempt = async (call: CallRow, make: MakeCall): Promise<Refusal | null> => {
    // People ask for calls about consent, as they ask for codes: these cannot use up the alerts of others (P11.5).
    const budget = call.purpose === 'consent' ? 'codes' : 'alerts';
    if (!(await budgets.spend(budget))) return { message: 'the texts and calls of today are used up', why: 'budget' };
    const outcome = await make(call.uuid, call.phone_number).catch(async (err: unknown) => {
      await budgets.giveBack(budget);
      throw err;
    });
    if (outcome.accepted) return null;
    await budgets.giveBack(budget);
    return { message: outcome.reason };
  };

  return async ({ call: uuid }) => {
    const call = await store.get(uuid);
    // The service accepted it at an earlier attempt whose result was not stored, and reported it.
    if (call?.state !== 'queued') return;
    const refusal = makeCall ? ((await refusalOf(call)) ?? (await attempt(call, makeCall))) : { message: 'calls are switched off' };
    if (refusal) {
      await store.report(uuid, 'failed', rules);
      throw new PermanentJobError(refusal.message, refusal.why);
    }
    // An accepted call is not made again because its state could not be stored: the service reports it too.
    await store.report(uuid, 'ringing', rules).catch(() => {});
  };
}
