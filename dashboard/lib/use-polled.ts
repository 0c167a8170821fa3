import { useCallback, useEffect, useRef, useState } from 'react';
import { HttpError } from './http.ts';

export interface PolledState<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => Promise<void>;
  /** Shows the answer of a call; without one it loads again. */
  show: (changed?: T) => Promise<void>;
}

/** Polls without the query library, for guests' pages. `read` is that of the first call. An error shows until something is loaded, a 404 always. */
export function usePolled<T>(read: () => Promise<T>, pollMs: number): PolledState<T> {
  const [{ data, error }, setState] = useState<{ data: T | undefined; error: unknown }>({ data: undefined, error: null });
  const firstRead = useRef(read);
  // A poll that began before a call must not bring the earlier state back.
  const version = useRef(0);
  const load = useCallback(async () => {
    const current = ++version.current;
    const fresh = () => current === version.current;
    try {
      const loaded = await firstRead.current();
      if (fresh()) setState({ data: loaded, error: null });
    } catch (err) {
      const gone = err instanceof HttpError && err.status === 404;
      if (fresh()) setState((before) => (before.data && !gone ? before : { data: undefined, error: err }));
    }
  }, []);
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
  }, [load, pollMs]);
  const show = async (changed?: T) => {
    if (changed === undefined) return load();
    version.current++;
    setState({ data: changed, error: null });
  };
  return { data, error, refetch: load, show };
}
