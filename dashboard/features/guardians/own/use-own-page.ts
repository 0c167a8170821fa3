import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { createContext, useCallback, useContext, useEffect, useState } from 'react';
import { call } from '../../../lib/call.ts';
import { HttpError } from '../../../lib/http.ts';
import type { Loadable } from '../../../ui/loading.tsx';

/** How often the open page asks again. */
const poll = 10_000;

export interface OwnPage {
  view: Loadable<GuardianView>;
  /** The link does not work, or does no longer. */
  dead: boolean;
  /** Waits for some work, and then shows how things are after it. */
  after(work: Promise<unknown>): Promise<void>;
}

/** The guardian's page by the key of its link, which is exchanged for a cookie at once, or by the cookie of last time. */
export function useOwnPage(id: string, linkKey: string): OwnPage {
  const [view, setView] = useState<{ data: GuardianView | undefined; error: unknown }>({ data: undefined, error: null });
  const load = useCallback(async () => {
    try {
      setView({ data: await call('GET /guardian/:id', { params: { id } }), error: null });
    } catch (error) {
      // A connection that is lost for a moment takes nothing away that is on the screen.
      setView((before) => (before.data && !isDead(error) ? before : { data: undefined, error }));
    }
  }, [id]);
  useEffect(() => {
    let timer: number | undefined;
    let closed = false;
    const open = async () => {
      if (linkKey) await call('POST /guardian/:id/session', { params: { id }, body: { key: linkKey } }).catch(() => {});
      await load();
      if (!closed) timer = window.setInterval(() => void load(), poll);
    };
    void open();
    return () => {
      closed = true;
      clearInterval(timer);
    };
  }, [id, linkKey, load]);
  const after = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      if (isDead(error)) return load();
      throw error;
    }
    await load();
  };
  return { view: { ...view, refetch: load }, dead: isDead(view.error), after };
}

function isDead(error: unknown): boolean {
  return error instanceof HttpError && (error.code === 'guardian_link_dead' || error.status === 404 || error.status === 422);
}

/** What the guardian can do on their page. Without it, as for the holder who looks at it, the page is only to be read. */
export interface OwnActions {
  accept(): Promise<void>;
  decline(): Promise<void>;
  leave(): Promise<void>;
  /** *I'm on it* (P5.2). */
  seen(alert: string): Promise<void>;
  change(to: { phone_number?: string | null; sms?: boolean; email?: boolean }): Promise<void>;
  sendCode(): Promise<void>;
  verify(code: string): Promise<void>;
}

export function ownActions(id: string, after: OwnPage['after']): OwnActions {
  const params = { id };
  return {
    accept: () => after(call('POST /guardian/:id/accept', { params })),
    decline: () => after(call('POST /guardian/:id/decline', { params })),
    leave: () => after(call('POST /guardian/:id/leave', { params })),
    seen: (uuid) => after(call('POST /guardian/:id/alerts/:uuid/seen', { params: { id, uuid } })),
    change: (body) => after(call('PATCH /guardian/:id', { params, body })),
    sendCode: () => after(call('POST /guardian/:id/send-phone-code', { params })),
    verify: (code) => after(call('POST /guardian/:id/verify-phone', { params, body: { code } })),
  };
}

export const Actions = createContext<OwnActions | null>(null);

/** Null where the page is only to be read. */
export const useOwnActions = () => useContext(Actions);
