import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { AllowListDeps } from './routes.ts';
import type { AllowListStore } from './store.ts';

export interface AllowUntilDeps {
  clock: Clock;
  store: AllowListStore;
  policyChanges: AllowListDeps['policyChanges'];
}

/** Allows a definition on a device for a time. Returns the entry's id. Throws `not_found`, `already_allowed` and `exception_limit`. */
export function allowUntil({ clock, store, policyChanges }: AllowUntilDeps) {
  return async (trx: Trx, account: string, device: string, identifier: string, until: Date): Promise<string> => {
    if (!(await policyChanges(trx, account, device))) fail('not_found');
    const entries = await store.list(device, trx);
    if (entries.some((one) => one.type === 'definition' && one.identifier === identifier)) fail('already_allowed');
    if (entries.length >= serverLimits.exceptions_max) fail('exception_limit');
    return (await store.add(trx, device, { type: 'definition', identifier, added: clock.now(), until })).id;
  };
}
