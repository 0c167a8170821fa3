import type { Trouble } from '@porchlight/contract/alerts.ts';
import { guardianEndpoints } from '@porchlight/contract/guardians.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../lib/bind.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import type { NameLookup, WeakeningGate } from '../../ports.ts';
import { invitationEmail, linkAgainEmail } from './emails.ts';
import { guardiansOnWire } from './holder-list.ts';
import { guardianLink } from './link.ts';
import { type LostLinkDeps, lostLinkRoutes } from './lost-link.ts';
import { type OwnAnswerDeps, ownAnswer } from './own-answer.ts';
import { type OwnPageDeps, ownPage } from './own-page.ts';
import { type OwnReachDeps, ownReach } from './own-reach.ts';
import { stateOf } from './rules.ts';
import type { GuardianRow } from './store.ts';
import { guardianViews, type ViewDeps } from './view.ts';

const hour = 3_600_000;

export interface GuardianDeps extends ViewDeps, OwnPageDeps, OwnAnswerDeps, OwnReachDeps, LostLinkDeps {
  gates: Gates;
  acknowledgements: OwnPageDeps['acknowledgements'];
  nameOf: NameLookup;
  /** Does this service have guardians (FEATURE_GUARDIANS)? */
  are_there: boolean;
  /** The profile is open to everyone (2.11); but nobody sends mail to others before their own address is confirmed. */
  mayInvite(account: string): Promise<boolean>;
  /** The gate of everything that weakens protection: may it be done, and who is told of it. */
  weaken: WeakeningGate;
  /** Notes that the mail with this key is on its way to the guardian, so that the holder sees when it comes back (P5.4). */
  noteInvitation(trx: Trx, guardian: GuardianRow, key: string): Promise<void>;
  /** By what each guardian of an account cannot be reached, by their uuid. */
  troubleOf(account: string): Promise<Map<string, Trouble[]>>;
}

export function guardianRoutes(app: FastifyInstance, given: GuardianDeps): void {
  const views = guardianViews(given);
  const deps = { ...given, viewOf: views.of };
  const { db, clock, gates, store, visits, limit, enqueue, guardiansChanged } = deps;
  const onWire = guardiansOnWire(deps);

  /** Whoever it is that has them sent. */
  const limitMailsTo = (email: string) => limit('guardian-target', email, { max: 5, per: 24 * hour });

  const invite = async (trx: Trx, row: GuardianRow) => {
    const holder = await deps.nameOf(row.account, trx);
    const letter = (row.accepted ? linkAgainEmail : invitationEmail)(row.name, holder, guardianLink(deps.dashboard_url, row, store));
    const key = `guardian:${row.uuid}:${row.key_version}`;
    if (await enqueue(trx, 'mail', key, { to: row.email, ...letter, unsubscribe: deps.unsubscribe(row.uuid) })) {
      await deps.noteInvitation(trx, row, key);
    }
  };

  bind(app, gates, guardianEndpoints, {
    'GET /web/guardians': async ({ account }) => ({ guardians: await onWire.all(account) }),

    'POST /web/create-guardian': async ({ account, body }) => {
      if (!deps.are_there) fail('guardians_off');
      if (!(await deps.mayInvite(account))) fail('email_unverified');
      await limit('guardian-invite', account, { max: 20, per: 24 * hour });
      await limitMailsTo(body.email);
      return db.transaction().execute(async (trx) => {
        const have = await store.listLocked(trx, account);
        if (have.length >= serverLimits.guardians_max) fail('guardian_limit');
        if (have.some((g) => g.email.toLowerCase() === body.email.toLowerCase())) fail('guardian_exists');
        const row = await store.create(trx, account, body.name, body.email);
        await deps.weaken(trx, account, { kind: 'guardian_added', what: row.name, before: { guardian: row.uuid } });
        await invite(trx, row);
        return onWire.one(row);
      });
    },

    'DELETE /web/guardians/:uuid': ({ account, params }) =>
      db.transaction().execute(async (trx) => {
        const row = await store.byUuid(params.uuid, trx);
        if (row?.account !== account) fail('not_found');
        if (row.accepted) await deps.weaken(trx, account, { kind: 'guardian_removed', what: row.name, guardian: row.uuid });
        if (!(await store.remove(trx, account, params.uuid))) fail('not_found');
        if (row.accepted) await guardiansChanged(trx, account);
        return {};
      }),

    'POST /web/guardians/:uuid/resend': async ({ account, params }) => {
      if (!deps.are_there) fail('guardians_off');
      if (!(await deps.mayInvite(account))) fail('email_unverified');
      await limit('guardian-resend', params.uuid, { max: 5, per: hour });
      await limitMailsTo(((await store.get(account, params.uuid)) ?? fail('not_found')).email);
      return db.transaction().execute(async (trx) => {
        const before = (await store.locked(trx, params.uuid)) ?? fail('not_found');
        const row = (await store.renew(trx, account, params.uuid)) ?? fail('not_found');
        // Someone who is or may become a guardian by an invitation of before is told of once.
        const known = ['active', 'pending'].includes(stateOf(before, clock.now()));
        if (!known) await deps.weaken(trx, account, { kind: 'guardian_added', what: row.name, before: { guardian: row.uuid } });
        await invite(trx, row);
        return {};
      });
    },

    'GET /web/guardians/:uuid/view': async ({ account, params }) =>
      views.preview((await store.get(account, params.uuid)) ?? fail('not_found')),

    'GET /web/guardians/:uuid/looks': async ({ account, params }) => {
      const { uuid } = (await store.get(account, params.uuid)) ?? fail('not_found');
      return { looks: (await visits.of(uuid)).map((time) => time.toISOString()) };
    },

    ...ownPage(deps),
    ...ownAnswer(deps),
    ...ownReach(deps),
    ...lostLinkRoutes(deps),
  });
}
