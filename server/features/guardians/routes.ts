import { guardianEndpoints } from '@porchlight/contract/guardians.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { hour } from '@porchlight/contract/time.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { ChannelResults } from '../../notifications/reach.ts';
import { invitationEmail, linkAgainEmail } from './emails.ts';
import { holderListOf } from './holder-list.ts';
import { guardianLink } from './link.ts';
import { type LostLinkDeps, lostLinkRoutes } from './lost-link.ts';
import { guardianOrder } from './order.ts';
import { type OwnAnswerDeps, ownAnswer } from './own-answer.ts';
import { type OwnPageDeps, ownPage } from './own-page.ts';
import { type OwnReachDeps, ownReach } from './own-reach.ts';
import { stateOf, takesIsolationAway } from './rules.ts';
import type { GuardianRow } from './store.ts';
import { guardianViews, type ViewDeps } from './view.ts';

export interface GuardianDeps
  extends ViewDeps,
    OwnPageDeps,
    OwnAnswerDeps,
    OwnReachDeps,
    LostLinkDeps,
    Pick<Kernel, 'gates' | 'nameOf' | 'weakening'> {
  acknowledgements: OwnPageDeps['acknowledgements'];
  hasGuardians: boolean;
  /** Accounts with unconfirmed addresses may use the profile (2.11) but must not send emails to others. */
  mayInvite(account: string): Promise<boolean>;
  /** Whether an incident of the account is open (P5.1). */
  isInIncident(account: string, trx: Trx): Promise<boolean>;
  /** Links the email to the guardian, so that the holder sees when it bounces (P5.4). */
  noteInvitation(trx: Trx, guardian: GuardianRow, key: string): Promise<void>;
  resultsOf(account: string): Promise<Map<string, ChannelResults>>;
}

export function guardianRoutes(app: FastifyInstance, givenDeps: GuardianDeps): void {
  const views = guardianViews(givenDeps);
  const deps = { ...givenDeps, viewOf: views.of };
  const { clock, gates, store, visits, limit, enqueue, events } = deps;
  const holderList = holderListOf(deps);

  /** Invitations to an address are counted for all accounts together. */
  const limitMailsTo = (email: string) => limit('guardian-target', email, { max: 5, per: 24 * hour });

  /** `again`: distinguishes an email with a link that was sent before. */
  const invite = async (trx: Trx, row: GuardianRow, again?: string) => {
    const holder = await deps.nameOf(row.account, trx);
    const message = (row.accepted ? linkAgainEmail : invitationEmail)(row.name, holder, guardianLink(deps.dashboard_url, row, store));
    const key = `guardian:${row.uuid}:${row.key_version}${again ? `:${again}` : ''}`;
    if (await enqueue(trx, 'mail', key, { to: row.email, ...message, unsubscribe: deps.unsubscribe(row.uuid) })) {
      await deps.noteInvitation(trx, row, key);
    }
  };

  bind(app, gates, guardianEndpoints, {
    'GET /web/guardians': async ({ account }) => ({ guardians: await holderList.all(account) }),

    'POST /web/create-guardian': async (call) => {
      const { account, body } = call;
      if (!deps.hasGuardians) fail('guardians_off');
      if (!(await deps.mayInvite(account))) fail('email_unverified');
      await limit('guardian-invite', account, { max: 20, per: 24 * hour });
      await limitMailsTo(body.email);
      return deps.weakening(weakeningCall(call), async (trx, weaken) => {
        const currentGuardians = await store.listLocked(trx, account);
        if (currentGuardians.length >= serverLimits.guardians_max) fail('guardian_limit');
        if (currentGuardians.some((g) => g.email.toLowerCase() === body.email.toLowerCase())) fail('guardian_exists');
        const row = await store.create(trx, account, body.name, body.email);
        await weaken({ kind: 'guardian_added', what: row.name, before: { guardian: row.uuid } });
        await invite(trx, row);
        return holderList.one(row);
      });
    },

    'PATCH /web/guardians/:uuid': async (call) => {
      const { account, params, body } = call;
      const someone_elses = (await deps.devicesOf(account)).some(({ person }) => person && !person.is_holder);
      await deps.weakening(weakeningCall(call), async (trx, weaken) => {
        const row = await store.locked(trx, params.uuid);
        if (row?.account !== account) fail('not_found');
        const { uuid, name, accepted, may_isolate } = row;
        if (accepted && takesIsolationAway(may_isolate, body.may_isolate, someone_elses)) {
          await weaken({ kind: 'isolation_off', what: name, before: { guardian: uuid, may_isolate } });
        }
        await store.setMayIsolate(trx, account, uuid, body.may_isolate);
      });
      const rows = await holderList.all(account);
      return rows.find(({ uuid }) => uuid === params.uuid) ?? fail('not_found');
    },

    'DELETE /web/guardians/:uuid': (call) =>
      deps.weakening(weakeningCall(call), async (trx, weaken) => {
        const { account, params } = call;
        const row = await store.byUuid(params.uuid, trx);
        if (row?.account !== account) fail('not_found');
        if (row.accepted) {
          const added = Math.min(row.invited.getTime(), row.accepted.getTime());
          const new_guardian = clock.now().getTime() - added < 72 * hour;
          await weaken({ kind: 'guardian_removed', what: row.name, guardian: row.uuid, new_guardian });
          await events.emit(trx, 'guardian_gone', { account });
        }
        if (!(await store.remove(trx, account, params.uuid))) fail('not_found');
        if (row.accepted) await events.emit(trx, 'policy_changed', { account, device: null });
        return {};
      }),

    'POST /web/guardians/:uuid/resend': async (call) => {
      const { account, params } = call;
      if (!deps.hasGuardians) fail('guardians_off');
      if (!(await deps.mayInvite(account))) fail('email_unverified');
      await limit('guardian-resend', params.uuid, { max: 5, per: hour });
      await limitMailsTo(((await store.get(account, params.uuid)) ?? fail('not_found')).email);
      return deps.weakening(weakeningCall(call), async (trx, weaken) => {
        const previousGuardian = (await store.locked(trx, params.uuid)) ?? fail('not_found');
        // No link dies in the hour that it is needed: in an incident the current one is sent (P5.1).
        const keepsLink =
          previousGuardian.account === account && previousGuardian.accepted !== null && (await deps.isInIncident(account, trx));
        const row = keepsLink ? previousGuardian : ((await store.renew(trx, account, params.uuid)) ?? fail('not_found'));
        // Push messages contain the link, and who has the old one must not get the new one.
        if (!keepsLink) await deps.endPushes(trx, row.uuid);
        // Resending an invitation weakens nothing; people were notified of the first one.
        const wasInvited = ['active', 'pending'].includes(stateOf(previousGuardian, clock.now()));
        if (!wasInvited) await weaken({ kind: 'guardian_added', what: row.name, before: { guardian: row.uuid } });
        await invite(trx, row, keepsLink ? clock.now().toISOString() : undefined);
        return {};
      });
    },

    'GET /web/guardians/:uuid/view': async ({ account, params }) =>
      views.preview((await store.get(account, params.uuid)) ?? fail('not_found')),

    'GET /web/guardians/:uuid/looks': async ({ account, params }) => {
      const { uuid } = (await store.get(account, params.uuid)) ?? fail('not_found');
      return { looks: (await visits.of(uuid)).map((time) => time.toISOString()) };
    },

    ...guardianOrder({ ...deps, holderList }),
    ...ownPage(deps),
    ...ownAnswer(deps),
    ...ownReach(deps),
    ...lostLinkRoutes(deps),
  });
}
