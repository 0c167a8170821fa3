import type { WeakeningAct } from '@porchlight/contract/care.ts';
import { type Guardian, guardianEndpoints } from '@porchlight/contract/guardians.ts';
import { limits } from '@porchlight/contract/limits.ts';
import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { bind } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { invitationLetter, linkAgainLetter } from './letters.ts';
import { type OwnPageParts, ownPage } from './own-page.ts';
import { stateOf } from './rules.ts';
import type { GuardianStore } from './store.ts';

const hour = 3_600_000;

export interface GuardianParts extends OwnPageParts {
  db: Db;
  clock: Clock;
  gates: Gates;
  store: GuardianStore;
  limit: Limit;
  enqueue: Enqueue;
  dashboard_url: string;
  nameOf(account: string, trx?: Trx): Promise<string>;
  /** The profile is open to everyone (2.11); but nobody sends mail to others before their own address is confirmed. */
  mayInvite(account: string): Promise<boolean>;
  /** The gate of everything that weakens protection: may it be done, and who is told of it. */
  weaken(trx: Trx, account: string, act: WeakeningAct): Promise<void>;
  /** Who to call stands in the policy of each device. */
  guardiansChanged(trx: Trx, account: string): Promise<void>;
}

type Row = { uuid: string; name: string; email: string; account: string; key_version: number; invited: Date; accepted: Date | null };

export function guardianRoutes(app: FastifyInstance, parts: GuardianParts): void {
  const { db, gates, store, limit, enqueue, guardiansChanged } = parts;
  const onWire = (row: Row): Guardian => ({
    uuid: row.uuid,
    name: row.name,
    email: row.email,
    active: row.accepted !== null,
    state: stateOf(row, parts.clock.now()),
    mail: true,
    texts: 'off',
    last_looked: null,
    trouble: null,
  });

  const invite = async (trx: Trx, row: Row) => {
    const holder = await parts.nameOf(row.account, trx);
    const letter = (row.accepted ? linkAgainLetter : invitationLetter)(row.name, holder, guardianLink(parts.dashboard_url, row, store));
    await enqueue(trx, 'mail', `guardian:${row.uuid}:${row.key_version}`, { to: row.email, ...letter });
  };

  bind(app, gates, guardianEndpoints, {
    'GET /web/guardians': async ({ account }) => ({ guardians: (await store.list(account)).map(onWire) }),

    'POST /web/create-guardian': async ({ account, body }) => {
      if (!(await parts.mayInvite(account))) fail('email_unverified');
      await limit('guardian-invite', account, { max: 20, per: 24 * hour });
      await limit('guardian-target', body.email, { max: 5, per: 24 * hour });
      return db.transaction().execute(async (trx) => {
        const have = await store.listLocked(trx, account);
        if (have.length >= limits.guardians_max) fail('guardian_limit');
        if (have.some((g) => g.email.toLowerCase() === body.email.toLowerCase())) fail('guardian_exists');
        const row = await store.create(trx, account, body.name, body.email);
        await invite(trx, row);
        return onWire(row);
      });
    },

    'DELETE /web/guardians/:uuid': ({ account, params }) =>
      db.transaction().execute(async (trx) => {
        const row = await store.remove(trx, account, params.uuid);
        if (!row) fail('not_found');
        if (row.accepted) {
          await parts.weaken(trx, account, { kind: 'guardian_removed', what: row.name });
          await guardiansChanged(trx, account);
        }
        return {};
      }),

    'POST /web/guardians/:uuid/resend': async ({ account, params }) => {
      if (!(await parts.mayInvite(account))) fail('email_unverified');
      await limit('guardian-resend', params.uuid, { max: 5, per: hour });
      return db.transaction().execute(async (trx) => {
        const row = await store.renew(trx, account, params.uuid);
        if (!row) fail('not_found');
        await invite(trx, row);
        return {};
      });
    },

    ...ownPage(parts),

    'POST /guardian/:id/decline': async () => fail('unavailable'),
    'POST /guardian/:id/leave': async () => fail('unavailable'),
    'PATCH /guardian/:id': async () => fail('unavailable'),
    'POST /guardian/:id/send-phone-code': async () => fail('unavailable'),
    'POST /guardian/:id/verify-phone': async () => fail('unavailable'),
    'POST /guardian/:id/alerts/:uuid/seen': async () => fail('unavailable'),
    'POST /guardian-link': async () => fail('unavailable'),
    'GET /web/guardians/:uuid/view': async () => fail('unavailable'),
    'GET /web/guardians/:uuid/looks': async () => fail('unavailable'),
  });
}

/** Where a guardian goes from a mail. The page exchanges the key for a cookie at once. */
export function guardianLink(
  dashboard_url: string,
  guardian: { uuid: string; key_version: number },
  store: Pick<GuardianStore, 'keyOf'>,
): string {
  return `${dashboard_url}/guardian/${guardian.uuid}/${store.keyOf(guardian)}`;
}
