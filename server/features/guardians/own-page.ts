import { timingSafeEqual } from 'node:crypto';
import type { GuardianView, guardianEndpoints } from '@porchlight/contract/guardians.ts';
import type { FastifyReply } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { Handlers } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import { guardianCookie, xsrfCookie } from '../../lib/gates.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { newToken } from '../../lib/tokens.ts';
import type { LookStore } from './look-store.ts';
import { stateOf } from './rules.ts';
import type { SeenStore } from './seen-store.ts';
import type { GuardianRow, GuardianStore } from './store.ts';

export interface OwnPageParts {
  db: Db;
  clock: Clock;
  store: GuardianStore;
  looks: LookStore;
  seen: SeenStore;
  limit: Limit;
  /** Cookies only over https, where the server is reached that way. */
  secure_cookies: boolean;
  /** The alert that this is, or is counted into; null where the account has none such. */
  alertOf(account: string, uuid: string): Promise<string | null>;
}

export interface OwnView {
  viewOf(guardian: GuardianRow): Promise<GuardianView>;
}

type OwnPage = Pick<
  Handlers<typeof guardianEndpoints>,
  'POST /guardian/:id/session' | 'GET /guardian/:id' | 'POST /guardian/:id/alerts/:uuid/seen'
>;

/** The guardian's own dashboard (2.16, P5.2): never the PIN, the allow list, billing or other guardians. */
export function ownPage(parts: OwnPageParts & OwnView): OwnPage {
  const { db, clock, store, looks, seen, limit } = parts;

  /** Each time counts at which there was something to look at; the holder sees them. */
  const noteLook = async (guardian: GuardianRow) => {
    if (stateOf(guardian, clock.now()) !== 'active' || !(await looks.counts(guardian.uuid))) return;
    await db.transaction().execute(async (trx) => {
      // Two windows that open at once are one look.
      if ((await store.locked(trx, guardian.uuid)) && (await looks.counts(guardian.uuid, trx))) await looks.add(trx, guardian.uuid);
    });
  };

  const setCookies = (reply: FastifyReply, id: string, token: string) => {
    const shared = { sameSite: 'strict', secure: parts.secure_cookies, maxAge: 400 * 24 * 3600 } as const;
    // One cookie for each page, so that someone can look out for two people.
    reply.setCookie(guardianCookie, token, { ...shared, httpOnly: true, path: `/api/guardian/${id}` });
    if (!reply.request.cookies[xsrfCookie]) reply.setCookie(xsrfCookie, newToken(), { ...shared, path: '/' });
  };

  return {
    'POST /guardian/:id/session': async ({ params, body, ip, reply }) => {
      await limit('guardian-key', ip, { max: 30, per: 600_000 });
      const guardian = await store.byUuid(params.id);
      if (!guardian || !sameKey(body.key, store.keyOf(guardian))) fail('guardian_link_dead');
      setCookies(reply, guardian.uuid, await store.newSession(guardian));
      return {};
    },

    'GET /guardian/:id': async ({ guardian: id }) => {
      const guardian = (await store.byUuid(id)) ?? fail('guardian_link_dead');
      await noteLook(guardian);
      return parts.viewOf(guardian);
    },

    'POST /guardian/:id/alerts/:uuid/seen': async ({ guardian: id, params }) => {
      const { account } = await activeNow(store, id);
      const alert = (await parts.alertOf(account, params.uuid)) ?? fail('not_found');
      return parts.viewOf(
        await db.transaction().execute(async (trx) => {
          const guardian = await activeLocked(store, trx, id);
          await seen.add(trx, guardian, alert);
          return guardian;
        }),
      );
    },
  };
}

/** The guardian who does something that only one who has accepted may do. */
export const activeNow = async (store: GuardianStore, id: string) => onlyActive(await store.byUuid(id));
/** The same, who stays so until the transaction ends. */
export const activeLocked = async (store: GuardianStore, trx: Trx, id: string) => onlyActive(await store.locked(trx, id));

function onlyActive(row: GuardianRow | undefined): GuardianRow {
  if (!row) fail('guardian_link_dead');
  return row.accepted ? row : fail('guardian_inactive');
}

function sameKey(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
