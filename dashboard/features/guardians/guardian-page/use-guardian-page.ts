import type { Session } from '@porchlight/contract/accounts.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/call.ts';
import { HttpError } from '../../../lib/http.ts';
import type { Loadable } from '../../../ui/loading.tsx';

/** How often the open page asks again, in ms. */
export const poll = 10_000;

export interface GuardianPageState {
  view: Loadable<GuardianView>;
  /** When it was last answered, in ms; 0 before. */
  at: number;
  dead: boolean;
  /** Waits for some work, and then shows how things are after it. */
  after(work: Promise<unknown>): Promise<void>;
}

/** The guardian's page by the key of its link, which is exchanged for a cookie at once, or by the cookie of last time. */
export function useGuardianPage(id: string, linkKey: string): GuardianPageState {
  const [view, setView] = useState<{ data: GuardianView | undefined; error: unknown }>({ data: undefined, error: null });
  const [at, setAt] = useState(0);
  // The key stays in memory until it is exchanged: it exists nowhere else.
  const unused = useRef(linkKey);
  const load = useCallback(async () => {
    try {
      if (unused.current) await exchange(id, unused.current);
      unused.current = '';
      setView({ data: await call('GET /guardian/:id', { params: { id } }), error: null });
      setAt(Date.now());
    } catch (error) {
      // A lost connection does not clear what is on the screen.
      setView((before) => (before.data && !isDead(error) ? before : { data: undefined, error }));
    }
  }, [id]);
  useEffect(() => {
    let timer: number | undefined;
    let closed = false;
    const open = async () => {
      await load();
      if (!closed) timer = window.setInterval(() => void load(), poll);
    };
    void open();
    return () => {
      closed = true;
      clearInterval(timer);
    };
  }, [load]);
  const after = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      if (isDead(error)) return load();
      throw error;
    }
    await load();
  };
  return { view: { ...view, refetch: load }, at, dead: isDead(view.error), after };
}

/** A key that is dead is no failure: the cookie of an earlier visit may still be good. */
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

/** Too long or empty: what stands in the address cannot be a key. Of anything else 422 is a field that somebody can mend. */
function isNoKey(error: unknown): boolean {
  return error instanceof HttpError && error.status === 422;
}

/** What the guardian can do on their page. Without it, as for the holder who looks at it, the page is only to be read. */
export interface PageActions {
  accept(): Promise<void>;
  decline(): Promise<void>;
  leave(): Promise<void>;
  seen(alert: string): Promise<void>;
  sorted(alert: string): Promise<void>;
  change(to: { phone_number?: string | null; sms?: boolean; email?: boolean }): Promise<void>;
  sendCode(): Promise<void>;
  verify(code: string): Promise<void>;
  sessions(): Promise<Session[]>;
  endSession(uuid: string): Promise<void>;
}

export function pageActions(id: string, after: GuardianPageState['after']): PageActions {
  const params = { id };
  return {
    accept: () => after(call('POST /guardian/:id/accept', { params })),
    decline: () => after(call('POST /guardian/:id/decline', { params })),
    leave: () => after(call('POST /guardian/:id/leave', { params })),
    seen: (uuid) => after(call('POST /guardian/:id/alerts/:uuid/seen', { params: { id, uuid } })),
    sorted: (uuid) => after(call('POST /guardian/:id/alerts/:uuid/answer', { params: { id, uuid }, body: { answer: 'sorted' } })),
    change: (body) => after(call('PATCH /guardian/:id', { params, body })),
    sendCode: () => after(call('POST /guardian/:id/send-phone-code', { params })),
    verify: (code) => after(call('POST /guardian/:id/verify-phone', { params, body: { code } })),
    sessions: async () => (await call('GET /guardian/:id/sessions', { params })).sessions,
    endSession: async (uuid) => void (await call('DELETE /guardian/:id/sessions/:uuid', { params: { id, uuid } })),
  };
}

export const Actions = createContext<PageActions | null>(null);

/** Null where the page is only to be read. */
export const usePageActions = () => useContext(Actions);
