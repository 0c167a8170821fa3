import { type PushSubscriptionBody, pushEndpoints } from '@porchlight/contract/push.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import type { PushSender } from '../../integrations/push/push.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { PushPerson, PushStore } from './store.ts';

export interface PushRouteDeps extends Pick<Kernel, 'db' | 'gates' | 'limit'> {
  store: PushStore;
  sender: Pick<PushSender, 'public_key' | 'serviceOf'>;
  /** Locks an active guardian, so that leaving and subscribing do not overlap. Throws `guardian_inactive` and `guardian_link_dead`. */
  lockActiveGuardian(trx: Trx, uuid: string): Promise<{ account: string }>;
}

/** A page subscribes again each time that it opens, so this limits only programs. */
const subscribeLimit = { max: 60, per: 3_600_000 };

/** Notifications in browsers (P11.6). */
export function pushRoutes(app: FastifyInstance, { db, gates, limit, store, sender, lockActiveGuardian }: PushRouteDeps): void {
  const subscribe = async (
    person: string,
    session: string,
    body: PushSubscriptionBody,
    personOf: (trx: Trx) => Promise<PushPerson>,
  ): Promise<Record<string, never>> => {
    if (sender.public_key === null) fail('push_off');
    const service = sender.serviceOf(body.endpoint) ?? fail('push_service_unknown');
    await limit('push', person, subscribeLimit);
    await db.transaction().execute(async (trx) => store.add(trx, await personOf(trx), { session, service, body }));
    return {};
  };

  bind(app, gates, pushEndpoints, {
    'POST /web/push': ({ account, session, body }) => subscribe(account, session, body, async () => ({ account, guardian: null })),
    'POST /web/push/end': async ({ account, body }) => {
      await store.end(account, body.endpoint);
      return {};
    },
    'POST /guardian/:id/push': ({ guardian, session, body }) =>
      subscribe(guardian, session, body, async (trx) => ({ account: (await lockActiveGuardian(trx, guardian)).account, guardian })),
    'POST /guardian/:id/push/end': async ({ guardian, body }) => {
      await store.end(guardian, body.endpoint);
      return {};
    },
  });
}
