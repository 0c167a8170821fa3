import type { WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import type { guardianEndpoints } from '@porchlight/contract/guardians.ts';
import type { Handlers } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import { fail } from '../../lib/errors.ts';
import type { WeakeningGate } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';
import type { HolderList } from './holder-list.ts';
import { orderOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';

export interface OrderDeps {
  store: Pick<GuardianStore, 'listLocked' | 'setOrder'>;
  holderList: HolderList;
  weakening: WeakeningGate;
}

/** The order in which guardians are called (P11.1). */
export function guardianOrder({
  store,
  holderList,
  weakening,
}: OrderDeps): Pick<Handlers<typeof guardianEndpoints>, 'PUT /web/guardians/order'> {
  return {
    'PUT /web/guardians/order': async (call) => {
      const { account, body } = call;
      await weakening(weakeningCall(call), async (trx, weaken) => {
        const former = await store.listLocked(trx, account);
        if (body.order.some((uuid) => !former.some((guardian) => guardian.uuid === uuid))) fail('not_found');
        const activity = orderActivity(former, orderOf(former, body.order));
        if (activity) await weaken(activity);
        await store.setOrder(trx, account, body.order);
      });
      return { guardians: await holderList.all(account) };
    },
  };
}

/** Another order weakens protection (P10.1), because someone else is called first; the same order is no activity. */
function orderActivity(former: Caller[], order: Caller[]): WeakeningActivity | null {
  const [first] = [...order.filter(({ accepted }) => accepted), ...order];
  if (!first || order.every(({ uuid }, n) => uuid === former[n]?.uuid)) return null;
  const guardian_order = former.map(({ uuid }) => uuid);
  return { kind: 'guardians_reordered', what: firstName(first.name), before: { guardian_order } };
}

type Caller = Pick<GuardianRow, 'uuid' | 'name' | 'accepted'>;
