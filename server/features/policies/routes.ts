import { limits } from '@porchlight/contract/limits.ts';
import { fixedPolicies, type OwnPolicy, type PolicyId, policyEndpoints } from '@porchlight/contract/policies.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { NoteRename } from '../../ports.ts';
import { descriptionOf, nameTaken, stopsLess } from './rules.ts';
import type { PolicyStore } from './store.ts';

export interface PolicyDeps extends Pick<Kernel, 'db' | 'gates' | 'weakening'> {
  store: PolicyStore;
  noteRename: NoteRename;
  /** Sets the policy of devices with this profile, possibly to its changed self, and wakes their agents (P4.8). */
  profileChanged(trx: Trx, account: string, profile: string, newPolicy: PolicyId): Promise<void>;
}

export function policyRoutes(app: FastifyInstance, { db, gates, store, profileChanged, weakening, noteRename }: PolicyDeps): void {
  const fixed = (uuid: 'strict' | 'permissive') => ({ uuid, ...fixedPolicies[uuid] });
  const toProfile = ({ uuid, name, actions }: OwnPolicy & { uuid: string }) => ({
    uuid,
    name,
    description: descriptionOf(actions),
    actions,
  });

  bind(app, gates, policyEndpoints, {
    'GET /web/policies': async ({ account }) => ({
      default_policies: [fixed('strict'), fixed('permissive')],
      custom_policies: (await store.list(account)).map(toProfile),
    }),

    'POST /web/policies': ({ account, body }) =>
      db.transaction().execute(async (trx) => {
        const currentProfiles = await store.listLocked(trx, account, body.name);
        if (currentProfiles.length >= limits.policies_max) fail('policy_limit');
        if (nameTaken(body.name, currentProfiles)) fail('policy_exists');
        return toProfile(await store.create(trx, account, body));
      }),

    'PATCH /web/policies/:uuid': (call) =>
      weakening(weakeningCall(call), async (trx, weaken) => {
        const {
          account,
          params: { uuid },
          body,
        } = call;
        const currentProfiles = await store.listLocked(trx, account, body.name);
        const previousProfile = currentProfiles.find((policy) => policy.uuid === uuid);
        const otherProfiles = currentProfiles.filter((policy) => policy.uuid !== uuid);
        if (!previousProfile) fail('not_found');
        if (nameTaken(body.name, otherProfiles)) fail('policy_exists');
        await noteRename(trx, 'profile', uuid, body.name);
        const changedProfile = (await store.change(trx, account, uuid, body)) ?? fail('not_found');
        const weaker = stopsLess({ ...previousProfile, block_likely: true }, { ...changedProfile, block_likely: true });
        // Changing an unused profile weakens nothing; people are notified when it is chosen.
        if (weaker && (await store.inUse(trx, account, uuid))) {
          await weaken({ kind: 'profile_changed', what: changedProfile.name, before: { profile: uuid } });
        }
        await profileChanged(trx, account, uuid, uuid);
        return toProfile(changedProfile);
      }),

    'DELETE /web/policies/:uuid': ({ account, params: { uuid } }) =>
      db.transaction().execute(async (trx) => {
        if (!(await store.remove(trx, account, uuid))) fail('not_found');
        await profileChanged(trx, account, uuid, 'strict');
        return {};
      }),
  });
}
