import { isDeepStrictEqual } from 'node:util';
import { unlistedProtectionEndpoints } from '@porchlight/contract/unlisted-protection.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { UnlistedProtectionStore } from './store.ts';
import { weakeningActivities } from './weaker.ts';

export interface UnlistedProtectionDeps extends Pick<Kernel, 'gates' | 'weakening'> {
  store: UnlistedProtectionStore;
  /** Whether a website (`readWebsite`) may be closed: too much depends on some. */
  restable(connection: Trx): Promise<(site: string) => boolean>;
}

export function unlistedProtectionRoutes(app: FastifyInstance, { gates, store, weakening, restable }: UnlistedProtectionDeps): void {
  bind(app, gates, unlistedProtectionEndpoints, {
    'GET /web/unlisted-protection': ({ account }) => store.of(account),

    'PATCH /web/unlisted-protection': (call) =>
      weakening(weakeningCall(call), async (trx, weaken) => {
        const { account, body } = call;
        const before = await store.ofLocked(trx, account);
        const {
          pasted_commands = before.pasted_commands,
          new_programs = before.new_programs,
          doors = before.doors,
          money_pages = before.money_pages,
          money_sites = before.money_sites,
          money_open = before.money_open,
        } = body;
        const choice = { pasted_commands, new_programs, doors, money_pages, money_sites, money_open };
        // A repeated call neither writes nor wakes devices, however often a page sends it.
        if (isDeepStrictEqual(choice, before)) return before;
        const mayRest = await restable(trx);
        if (!money_sites.every((site) => before.money_sites.includes(site) || mayRest(site))) fail('site_needed');
        for (const activity of weakeningActivities(before, choice)) await weaken(activity);
        await store.set(trx, account, choice);
        return choice;
      }),
  });
}
