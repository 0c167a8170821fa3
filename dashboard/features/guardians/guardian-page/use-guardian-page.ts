import type { Session } from '@porchlight/contract/accounts.ts';
import type { GuardianChange, GuardianView } from '@porchlight/contract/guardians.ts';
import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/call.ts';
import { HttpError } from '../../../lib/http.ts';
import type { Loadable } from '../../../ui/loading.tsx';

export const pollMs = 10_000;

export interface GuardianPageState {
  view: Loadable<GuardianView>;
  /** Milliseconds; 0 before the first answer. */
  at: number;
  dead: boolean;
  after(action: Promise<unknown>): Promise<void>;
}

/** Opens the page with the link's key, which is exchanged for a cookie at once, or with an earlier cookie. */
export function useGuardianPage(id: string, linkKey: string): GuardianPageState {
  const [view, setView] = useState<{ data: GuardianView | undefined; error: unknown }>({ data: undefined, error: null });
  const [answeredAt, setAnsweredAt] = useState(0);
  // The key exists only in memory until it is exchanged.
  const unusedKey = useRef(linkKey);
  const load = useCallback(async () => {
    try {
      if (unusedKey.current) await exchange(id, unusedKey.current);
      unusedKey.current = '';
      setView({ data: await call('GET /guardian/:id', { params: { id } }), error: null });
      setAnsweredAt(Date.now());
    } catch (error) {
      setView((previousView) => (previousView.data && !isDead(error) ? previousView : { data: undefined, error }));
    }
  }, [id]);
  useEffect(() => {
    let timer: number | undefined;
    let closed = false;
    const open = async () => {
      await load();
      if (!closed) timer = window.setInterval(() => void load(), pollMs);
    };
    void open();
    return () => {
      closed = true;
      clearInterval(timer);
    };
  }, [load]);
  const reloadAfter = async (action: Promise<unknown>) => {
    try {
      await action;
    } catch (error) {
      if (isDead(error)) return load();
      throw error;
    }
    await load();
  };
  return { view: { ...view, refetch: load }, at: answeredAt, dead: isDead(view.error), after: reloadAfter };
}

/** A dead key is no failure: an earlier cookie may still be valid. */
async function exchange(id: string, key: string): Promise<void> {
  try {
    await call('POST /guardian/:id/session', { params: { id }, body: { key } });
  } catch (error) {
    if (!isDead(error) && !isNoKey(error)) throw error;
  }
}

function isDead(error: unknown): boolean {
  return error instanceof HttpError && (error.code === 'guardian_link_dead' || error.status === 404);
}

/** A 422 here means a key of a wrong length; in other calls it is a field that the user can correct. */
function isNoKey(error: unknown): boolean {
  return error instanceof HttpError && error.status === 422;
}

/** What a guardian can do. The holder's preview has no actions. */
export interface PageActions {
  /** The guardian's. */
  id: string;
  accept(): Promise<void>;
  decline(): Promise<void>;
  /** `code`: texted just now, if the server asks for it (P10.2). */
  leave(code?: string): Promise<void>;
  seen(alert: string): Promise<void>;
  sorted(alert: string): Promise<void>;
  setKnown(device: string, known: boolean): Promise<void>;
  change(settings: GuardianChange): Promise<void>;
  sendCode(): Promise<void>;
  verify(code: string): Promise<void>;
  sessions(): Promise<Session[]>;
  endSession(uuid: string): Promise<void>;
}

export function pageActions(id: string, reloadAfter: GuardianPageState['after']): PageActions {
  const params = { id };
  return {
    id,
    accept: () => reloadAfter(call('POST /guardian/:id/accept', { params })),
    decline: () => reloadAfter(call('POST /guardian/:id/decline', { params })),
    leave: (code) => reloadAfter(call('POST /guardian/:id/leave', { params, body: code ? { code } : {} })),
    seen: (uuid) => reloadAfter(call('POST /guardian/:id/alerts/:uuid/seen', { params: { id, uuid } })),
    sorted: (uuid) => reloadAfter(call('POST /guardian/:id/alerts/:uuid/answer', { params: { id, uuid }, body: { answer: 'sorted' } })),
    setKnown: (uuid, known) => reloadAfter(call('POST /guardian/:id/devices/:uuid', { params: { id, uuid }, body: { known } })),
    change: (body) => reloadAfter(call('PATCH /guardian/:id', { params, body })),
    sendCode: () => reloadAfter(call('POST /guardian/:id/send-phone-code', { params })),
    verify: (code) => reloadAfter(call('POST /guardian/:id/verify-phone', { params, body: { code } })),
    sessions: async () => (await call('GET /guardian/:id/sessions', { params })).sessions,
    endSession: async (uuid) => void (await call('DELETE /guardian/:id/sessions/:uuid', { params: { id, uuid } })),
  };
}

export const Actions = createContext<PageActions | null>(null);

/** The page's actions; null if it is read-only. */
export const usePageActions = () => useContext(Actions);
