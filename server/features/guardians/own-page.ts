import type { GuardianView, guardianEndpoints } from '@porchlight/contract/guardians.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyReply } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { Handlers } from '../../lib/bind.ts';
import { browserInWords } from '../../lib/browser-in-words.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import { guardianCookie, xsrfCookie } from '../../lib/gates.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { sameSecret } from '../../lib/same-secret.ts';
import { newToken } from '../../lib/tokens.ts';
import type { AcknowledgementStore } from './acknowledgement-store.ts';
import { stateOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';
import type { VisitStore } from './visit-store.ts';

export interface OwnPageDeps {
  db: Db;
  clock: Clock;
  store: GuardianStore;
  visits: VisitStore;
  acknowledgements: AcknowledgementStore;
  limit: Limit;
  /** Cookies only over https, where the server is reached that way. */
  secure_cookies: boolean;
  /** The alert that this is, or is counted into; null where the account has none such. */
  alertOf(account: string, uuid: string): Promise<Alert | null>;
  /** Stores that this guardian said it; the first time counts. */
  answerAlert(trx: Trx, guardian: GuardianRow, alert: Alert, answer: 'sorted'): Promise<unknown>;
}

interface Alert {
  uuid: string;
  device: string;
}

export interface OwnView {
  viewOf(guardian: GuardianRow): Promise<GuardianView>;
}

type OwnPage = Pick<
  Handlers<typeof guardianEndpoints>,
  | 'POST /guardian/:id/session'
  | 'GET /guardian/:id'
  | 'GET /guardian/:id/sessions'
  | 'DELETE /guardian/:id/sessions/:uuid'
  | 'POST /guardian/:id/alerts/:uuid/seen'
  | 'POST /guardian/:id/alerts/:uuid/answer'
>;

/** The guardian's own dashboard (2.16, P5.2): never the PIN, the allow list, billing or other guardians. */
export function ownPage(deps: OwnPageDeps & OwnView): OwnPage {
  const { db, clock, store, visits, acknowledgements, limit } = deps;

  /** Each time counts at which there was something to look at; the holder sees them. */
  const noteVisit = async (guardian: GuardianRow) => {
    if (stateOf(guardian, clock.now()) !== 'active' || !(await visits.counts(guardian.uuid))) return;
    await db.transaction().execute(async (trx) => {
      // Two windows that open at once are one look.
      if ((await store.locked(trx, guardian.uuid)) && (await visits.counts(guardian.uuid, trx))) await visits.add(trx, guardian.uuid);
    });
  };

  const setCookies = (reply: FastifyReply, id: string, token: string) => {
    const shared = { sameSite: 'strict', secure: deps.secure_cookies, maxAge: serverLimits.guardian_session_life / 1000 } as const;
    // One cookie for each page, so that someone can look out for two people.
    reply.setCookie(guardianCookie, token, { ...shared, httpOnly: true, path: `/api/guardian/${id}` });
    if (!reply.request.cookies[xsrfCookie]) reply.setCookie(xsrfCookie, newToken(), { ...shared, path: '/' });
  };

  /** Stores what an active guardian says of an alert, and answers with what they see after it. */
  const ofAlert = async (id: string, uuid: string, say: (trx: Trx, guardian: GuardianRow, alert: Alert) => Promise<unknown>) => {
    const { account } = await activeNow(store, id);
    const alert = (await deps.alertOf(account, uuid)) ?? fail('not_found');
    const guardian = await db.transaction().execute(async (trx) => {
      const row = await activeLocked(store, trx, id);
      await say(trx, row, alert);
      return row;
    });
    return deps.viewOf(guardian);
  };

  return {
    'POST /guardian/:id/session': async ({ params, body, ip, request, reply }) => {
      await limit('guardian-key', ip, { max: 30, per: 600_000 });
      const guardian = await store.byUuid(params.id);
      if (!guardian || !sameSecret(body.key, store.keyOf(guardian))) fail('guardian_link_dead');
      const browser = browserInWords(request.headers['user-agent']);
      setCookies(reply, guardian.uuid, await store.newSession(guardian, browser, request.cookies[guardianCookie]));
      return {};
    },

    'GET /guardian/:id': async ({ guardian: id }) => {
      const guardian = (await store.byUuid(id)) ?? fail('guardian_link_dead');
      await noteVisit(guardian);
      return deps.viewOf(guardian);
    },

    'GET /guardian/:id/sessions': async ({ guardian, session }) => {
      const rows = await store.sessions(guardian);
      const on = (moment: Date) => moment.toISOString();
      return {
        sessions: rows.map((row) => ({ ...row, created: on(row.created), last_used: on(row.last_used), current: row.uuid === session })),
      };
    },

    'DELETE /guardian/:id/sessions/:uuid': async ({ guardian, params }) => {
      if (!(await store.endSession(guardian, params.uuid))) fail('not_found');
      return {};
    },

    'POST /guardian/:id/alerts/:uuid/seen': ({ guardian, params }) =>
      ofAlert(guardian, params.uuid, (trx, row, alert) => acknowledgements.add(trx, row, alert.uuid)),

    'POST /guardian/:id/alerts/:uuid/answer': ({ guardian, params, body }) =>
      ofAlert(guardian, params.uuid, (trx, row, alert) => deps.answerAlert(trx, row, alert, body.answer)),
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
