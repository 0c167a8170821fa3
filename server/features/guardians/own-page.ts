import { timingSafeEqual } from 'node:crypto';
import type { FourParts } from '@porchlight/contract/detections.ts';
import type { GuardianView, guardianEndpoints } from '@porchlight/contract/guardians.ts';
import { zero_time } from '@porchlight/contract/limits.ts';
import type { Category, Certainty } from '@porchlight/contract/shapes.ts';
import type { FastifyReply } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { Handlers } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import { guardianCookie, xsrfCookie } from '../../lib/gates.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { newToken } from '../../lib/tokens.ts';
import { firstName } from '../../lib/words.ts';
import { stateOf } from './rules.ts';
import type { GuardianStore } from './store.ts';

export interface OwnPageParts {
  db: Db;
  clock: Clock;
  store: GuardianStore;
  limit: Limit;
  /** Cookies only over https, where the server is reached that way. */
  secure_cookies: boolean;
  nameOf(account: string, trx?: Trx): Promise<string>;
  devicesOf(account: string): Promise<{ name: string; last_seen: Date | null; last_detection: Date | null }[]>;
  alertsOf(account: string): Promise<
    {
      uuid: string;
      device_name: string;
      name: string;
      category: Category;
      blocked: boolean;
      certainty: Certainty;
      time: string;
      times: number;
      parts: FourParts;
    }[]
  >;
  guardiansChanged(trx: Trx, account: string): Promise<void>;
}

type OwnPage = Pick<Handlers<typeof guardianEndpoints>, 'POST /guardian/:id/session' | 'GET /guardian/:id' | 'POST /guardian/:id/accept'>;

/** The guardian's own dashboard (2.16, P5.2): never the PIN, the allow list, billing or other guardians. */
export function ownPage(parts: OwnPageParts): OwnPage {
  const { db, clock, store, limit } = parts;

  const view = async (id: string): Promise<GuardianView> => {
    const guardian = (await store.byUuid(id)) ?? fail('guardian_link_dead');
    const state = stateOf(guardian, clock.now());
    const active = state === 'active';
    const devices = active ? await parts.devicesOf(guardian.account) : [];
    return {
      state,
      name: guardian.name,
      holder_name: firstName(await parts.nameOf(guardian.account)),
      mail: active,
      sms: false,
      phone_number: null,
      phone_number_verified: false,
      phone_number_opted_out: false,
      phone_number_host: null,
      devices: devices.map((d) => ({
        name: d.name,
        last_seen: d.last_seen?.toISOString() ?? null,
        last_detection: d.last_detection?.toISOString() ?? zero_time,
        silence: null,
      })),
      alerts: active ? (await parts.alertsOf(guardian.account)).map((a) => ({ ...a, seen: null })) : [],
    };
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

    'GET /guardian/:id': ({ guardian }) => view(guardian),

    'POST /guardian/:id/accept': async ({ guardian: id }) => {
      await db.transaction().execute(async (trx) => {
        const guardian = (await store.byUuid(id, trx)) ?? fail('guardian_link_dead');
        if (stateOf(guardian, clock.now()) === 'expired') fail('link_expired');
        await store.accept(trx, id);
        await parts.guardiansChanged(trx, guardian.account);
      });
      return view(id);
    },
  };
}

function sameKey(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
