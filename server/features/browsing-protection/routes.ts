import { isDeepStrictEqual } from 'node:util';
import type { WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import { type BrowsingProtection, browsingProtectionEndpoints } from '@porchlight/contract/browsing-protection.ts';
import { protectiveResolvers } from '@porchlight/contract/protective-resolvers.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import type { BrowsingProtectionStore } from './store.ts';

export interface BrowsingProtectionDeps extends Pick<Kernel, 'gates' | 'weakening'> {
  store: BrowsingProtectionStore;
}

export function browsingProtectionRoutes(app: FastifyInstance, { gates, store, weakening }: BrowsingProtectionDeps): void {
  bind(app, gates, browsingProtectionEndpoints, {
    'GET /web/browsing-protection': ({ account }) => store.of(account),

    'PATCH /web/browsing-protection': (call) =>
      weakening(weakeningCall(call), async (trx, weaken) => {
        const { account, body } = call;
        const before = await store.ofLocked(trx, account);
        const { browsers = before.browsers, resolver = before.resolver, notification_origins = before.notification_origins } = body;
        // Also the answer that nothing changes is one.
        const resolver_chosen = before.resolver_chosen || body.resolver !== undefined;
        const newChoice = { browsers, resolver, notification_origins, resolver_chosen };
        // A repeated call neither writes nor wakes devices, however often a page sends it.
        if (isDeepStrictEqual(newChoice, before)) return before;
        for (const activity of weakeningActivities(before, newChoice)) await weaken(activity);
        await store.set(trx, account, newChoice);
        return newChoice;
      }),
  });
}

/** One protective resolver in place of another weakens nothing. */
function weakeningActivities(before: BrowsingProtection, now: BrowsingProtection): WeakeningActivity[] {
  const { browsers, resolver, notification_origins } = now;
  const activities: WeakeningActivity[] = [];
  if (before.browsers && !browsers) activities.push({ kind: 'browsers_off' });
  if (before.resolver !== 'network' && resolver === 'network') {
    const { name } = protectiveResolvers[before.resolver];
    activities.push({ kind: 'resolver_off', what: name, before: { resolver: before.resolver } });
  }
  const added = notification_origins.filter((origin) => !before.notification_origins.includes(origin));
  const sites = added.map((origin) => origin.replace('https://', '')).join(' ');
  if (added.length) activities.push({ kind: 'notifications_allowed', what: sites, before: { notification_origins: added } });
  return activities;
}
