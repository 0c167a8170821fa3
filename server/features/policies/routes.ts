import { limits } from '@porchlight/contract/limits.ts';
import { fixedPolicies, type OwnPolicy, type PolicyId, policyEndpoints } from '@porchlight/contract/policies.ts';
import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import { bind } from '../../lib/bind.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import type { WeakeningGate } from '../../ports.ts';
import { descriptionOf, nameTaken, stopsLess } from './rules.ts';
import type { PolicyStore } from './store.ts';

export interface PolicyDeps {
  db: Db;
  gates: Gates;
  store: PolicyStore;
  /** The gate of everything that weakens protection: may it be done, and who is told of it. */
  weaken: WeakeningGate;
  /** The devices of the account that have a profile get `now`, which may be the same one with other words; their agents hear of it at once (P4.8). */
  profileChanged(trx: Trx, account: string, profile: string, now: PolicyId): Promise<void>;
}

export function policyRoutes(app: FastifyInstance, { db, gates, store, profileChanged, weaken }: PolicyDeps): void {
  const fixed = (uuid: 'strict' | 'permissive') => ({ uuid, ...fixedPolicies[uuid] });
  const own = ({ uuid, name, actions }: OwnPolicy & { uuid: string }) => ({ uuid, name, description: descriptionOf(actions), actions });

  bind(app, gates, policyEndpoints, {
    'GET /web/policies': async ({ account }) => ({
      default_policies: [fixed('strict'), fixed('permissive')],
      custom_policies: (await store.list(account)).map(own),
    }),

    'POST /web/policies': ({ account, body }) =>
      db.transaction().execute(async (trx) => {
        const have = await store.listLocked(trx, account, body.name);
        if (have.length >= limits.policies_max) fail('policy_limit');
        if (nameTaken(body.name, have)) fail('policy_exists');
        return own(await store.create(trx, account, body));
      }),

    'PATCH /web/policies/:uuid': ({ account, params: { uuid }, body }) =>
      db.transaction().execute(async (trx) => {
        const have = await store.listLocked(trx, account, body.name);
        const before = have.find((policy) => policy.uuid === uuid);
        const others = have.filter((policy) => policy.uuid !== uuid);
        if (!before) fail('not_found');
        if (nameTaken(body.name, others)) fail('policy_exists');
        const changed = (await store.change(trx, account, uuid, body)) ?? fail('not_found');
        const less = stopsLess({ ...before, block_likely: true }, { ...changed, block_likely: true });
        // One that no device has protects nobody yet: it is told when one is put on it.
        if (less && (await store.inUse(trx, account, uuid))) {
          await weaken(trx, account, { kind: 'profile_changed', what: changed.name, before: { profile: uuid } });
        }
        await profileChanged(trx, account, uuid, uuid);
        return own(changed);
      }),

    'DELETE /web/policies/:uuid': ({ account, params: { uuid } }) =>
      db.transaction().execute(async (trx) => {
        if (!(await store.remove(trx, account, uuid))) fail('not_found');
        await profileChanged(trx, account, uuid, 'strict');
        return {};
      }),
  });
}
