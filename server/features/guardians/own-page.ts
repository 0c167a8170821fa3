import type { GuardianView, guardianEndpoints } from '@porchlight/contract/guardians.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Handlers } from '../../http/bind.ts';
import { guardianCookie } from '../../http/gates.ts';
import { isNearAgent, type WeakeningCall } from '../../http/weakening-call.ts';
import { type XsrfTokens, xsrfCookie } from '../../http/xsrf.ts';
import type { GuardianProof } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import { sameSecret } from '../../secrets/same-secret.ts';
import { browserInWords } from '../../texts/browser-in-words.ts';
import type { AcknowledgementStore } from './acknowledgement-store.ts';
import { stateOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';
import type { VisitStore } from './visit-store.ts';

export interface OwnPageDeps extends Pick<Kernel, 'db' | 'clock' | 'limit'> {
  store: GuardianStore;
  visits: VisitStore;
  acknowledgements: AcknowledgementStore;
  secure_cookies: boolean;
  xsrf: Pick<XsrfTokens, 'added'>;
  /** The alert with this id or with this repeated detection; null when unknown. */
  alertOf(account: string, uuid: string): Promise<Alert | null>;
  /** Stores only a guardian's first answer. */
  answerAlert(trx: Trx, guardian: GuardianRow, alert: Alert, answer: 'sorted'): Promise<unknown>;
  /** *I’m on it*, about the alert's open incident as well (P11.1). */
  onIt(trx: Trx, guardian: GuardianRow, alert: Alert, caller: Pick<WeakeningCall, 'ip' | 'browser_near'>): Promise<unknown>;
  /** Stores whether the guardian knows a device, and notifies the others; false for an unknown device (P18.2). */
  setKnown(trx: Trx, guardian: GuardianRow, device: string, known: boolean): Promise<boolean>;
  prove: GuardianProof;
  /** Ends the push messages to the browser of a session (P11.6). */
  endPush(guardian: string, session: string): Promise<unknown>;
}

interface Alert {
  uuid: string;
  device: string;
  time: Date;
}

export interface OwnView {
  /** `request`: from where the guardian reads, which decides what they may answer (P10.2). */
  viewOf(guardian: GuardianRow, request: FastifyRequest): Promise<GuardianView>;
}

type OwnPage = Pick<
  Handlers<typeof guardianEndpoints>,
  | 'POST /guardian/:id/session'
  | 'GET /guardian/:id'
  | 'GET /guardian/:id/sessions'
  | 'DELETE /guardian/:id/sessions/:uuid'
  | 'POST /guardian/:id/alerts/:uuid/seen'
  | 'POST /guardian/:id/alerts/:uuid/answer'
  | 'POST /guardian/:id/devices/:uuid'
>;

/** The guardian's page (2.16, P5.2), without the PIN, allow list, billing or other guardians. */
export function ownPage(deps: OwnPageDeps & OwnView): OwnPage {
  const { db, clock, store, visits, acknowledgements, limit } = deps;

  /** Records visits of active guardians, which the holder sees. */
  const noteVisit = async (guardian: GuardianRow) => {
    if (stateOf(guardian, clock.now()) !== 'active' || !(await visits.counts(guardian.uuid))) return;
    await db.transaction().execute(async (trx) => {
      // Two windows opened at once count as one visit.
      if ((await store.locked(trx, guardian.uuid)) && (await visits.counts(guardian.uuid, trx))) await visits.add(trx, guardian.uuid);
    });
  };

  const cookieOptions = { sameSite: 'strict', secure: deps.secure_cookies, maxAge: serverLimits.guardian_session_life / 1000 } as const;

  const setXsrfCookie = (reply: FastifyReply, session: string) => {
    const value = deps.xsrf.added(reply.request, session);
    if (value !== null) reply.setCookie(xsrfCookie, value, { ...cookieOptions, path: '/' });
  };

  const setCookies = (reply: FastifyReply, id: string, token: string) => {
    // The cookie's path separates pages, so that one browser can open several guardians' pages.
    reply.setCookie(guardianCookie, token, { ...cookieOptions, httpOnly: true, path: `/api/guardian/${id}` });
    setXsrfCookie(reply, token);
  };

  /** Stores a guardian's reaction to an alert, and returns their new view. */
  const reactToAlert = async (
    { guardian: id, params: { uuid }, request }: { guardian: string; params: { uuid: string }; request: FastifyRequest },
    storeReaction: (trx: Trx, guardian: GuardianRow, alert: Alert) => Promise<unknown>,
  ) => {
    const { account } = await activeNow(store, id);
    const alert = (await deps.alertOf(account, uuid)) ?? fail('not_found');
    const guardian = await db.transaction().execute(async (trx) => {
      const row = await activeLocked(store, trx, id);
      await storeReaction(trx, row, alert);
      return row;
    });
    return deps.viewOf(guardian, request);
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

    'GET /guardian/:id': async ({ guardian: id, request, reply }) => {
      const guardian = (await store.byUuid(id)) ?? fail('guardian_link_dead');
      // A browser that lost its token can act again once the page is reloaded.
      setXsrfCookie(reply, request.cookies[guardianCookie] ?? '');
      await noteVisit(guardian);
      return deps.viewOf(guardian, request);
    },

    'GET /guardian/:id/sessions': async ({ guardian, session }) => {
      const rows = await store.sessions(guardian);
      const isoTime = (moment: Date) => moment.toISOString();
      return {
        sessions: rows.map((row) => ({
          ...row,
          created: isoTime(row.created),
          last_used: isoTime(row.last_used),
          current: row.uuid === session,
        })),
      };
    },

    'DELETE /guardian/:id/sessions/:uuid': async ({ guardian, params }) => {
      if (!(await store.endSession(guardian, params.uuid))) fail('not_found');
      await deps.endPush(guardian, params.uuid);
      return {};
    },

    'POST /guardian/:id/alerts/:uuid/seen': (call) =>
      reactToAlert(call, async (trx, row, alert) => {
        await acknowledgements.add(trx, row, alert.uuid);
        await deps.onIt(trx, row, alert, { ip: call.ip, browser_near: isNearAgent(call.request) });
      }),

    'POST /guardian/:id/devices/:uuid': async (call) => {
      const { known } = call.body;
      // A doubt only strengthens, so it needs no proof.
      const proven = known ? await proofOf(deps, call, undefined) : async () => {};
      const guardian = await db.transaction().execute(async (trx) => {
        const row = await activeLocked(store, trx, call.guardian);
        await proven(trx);
        if (!(await deps.setKnown(trx, row, call.params.uuid, known))) fail('not_found');
        return row;
      });
      return deps.viewOf(guardian, call.request);
    },

    'POST /guardian/:id/alerts/:uuid/answer': (call) =>
      reactToAlert(call, (trx, row, alert) => deps.answerAlert(trx, row, alert, call.body.answer)),
  };
}

/** See `GuardianProof`. A call from a guardian's own page. */
export async function proofOf(
  { store, prove }: { store: Pick<GuardianStore, 'byUuid'>; prove: GuardianProof },
  { guardian, ip, request }: { guardian: string; ip: string; request: FastifyRequest },
  code: string | undefined,
) {
  const row = (await store.byUuid(guardian)) ?? fail('guardian_link_dead');
  return prove(row, { ip, browser_near: isNearAgent(request) }, code);
}

/** The guardian if active, or an error. */
export const activeNow = async (store: GuardianStore, id: string) => onlyActive(await store.byUuid(id));
export const activeLocked = async (store: GuardianStore, trx: Trx, id: string) => onlyActive(await store.locked(trx, id));

function onlyActive(row: GuardianRow | undefined): GuardianRow & { accepted: Date } {
  const { accepted } = row ?? fail('guardian_link_dead');
  return row && accepted ? { ...row, accepted } : fail('guardian_inactive');
}
