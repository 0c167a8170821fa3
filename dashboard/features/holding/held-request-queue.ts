import { type HeldRequestAnswer, heldRequestAnswer } from '../../lib/held-request.ts';
import { heldRequestMessages } from '../../lib/held-request-messages.ts';
import { HttpError } from '../../lib/http.ts';

/** A call that waits for an answer, and the form behind it. */
export interface WaitingCall {
  id: number;
  /** Of the newest attempt. */
  held: HeldRequestAnswer;
  /** Whether the repeated call is on its way; nothing else ends the wait then. */
  repeating: boolean;
}

interface Entry extends WaitingCall {
  repeat: () => Promise<unknown>;
  error: HttpError;
  resolve: (answer: unknown) => void;
  reject: (reason: unknown) => void;
}

export interface HeldRequestQueue {
  add(error: HttpError, repeat: () => Promise<unknown>): Promise<unknown>;
  /** The oldest call, whose dialog is open. */
  first(): WaitingCall | null;
  /** Repeats the call, which settles its form, unless the call has to wait again. Returns whether it settled. */
  repeat(id: number): Promise<boolean>;
  /** Ends the wait with `words` as the form's error, or as its calm status. */
  refuse(id: number, words: string, calm: boolean): void;
  /** Ends the wait of every call for the same request, which still waits on the server. */
  leave(id: number): void;
  leaveAll(): void;
  subscribe(notify: () => void): () => void;
}

/** A form shows `words` in place of the server's, as a calm status while the code is `held`. */
const withWords = ({ status, body }: HttpError, changes: { error: string; code?: 'request_closed' }) =>
  new HttpError(status, { ...(body as object), ...changes });

export function heldRequestQueue(): HeldRequestQueue {
  let queue: Entry[] = [];
  let nextId = 1;
  const listeners = new Set<() => void>();
  const setQueue = (newQueue: Entry[]) => {
    queue = newQueue;
    for (const notify of listeners) notify();
  };
  const find = (id: number) => queue.find((entry) => entry.id === id);
  const end = (settle: (entry: Entry) => void, ended: (entry: Entry) => boolean) => {
    const endedEntries = queue.filter(ended);
    if (endedEntries.length === 0) return;
    setQueue(queue.filter((entry) => !ended(entry)));
    for (const entry of endedEntries) settle(entry);
  };
  const leaveEntry = ({ reject, error, held: answer }: Entry) => reject(withWords(error, { error: heldRequestMessages.later(answer) }));
  const change = (id: number, to: Partial<Entry>) => setQueue(queue.map((entry) => (entry.id === id ? { ...entry, ...to } : entry)));
  return {
    add: (error, repeat) =>
      new Promise((resolve, reject) => {
        const answer = heldRequestAnswer(error);
        if (!answer) return reject(error);
        setQueue([...queue, { id: nextId++, held: answer, repeating: false, repeat, error, resolve, reject }]);
      }),
    first: () => queue[0] ?? null,
    async repeat(id) {
      const entry = find(id);
      if (!entry || entry.repeating) return false;
      change(id, { repeating: true });
      const settle = entry.repeat().then(
        (answer) => () => entry.resolve(answer),
        (err: unknown) => {
          const again = heldRequestAnswer(err);
          if (!again) return () => entry.reject(err);
          change(id, { repeating: false, error: err as HttpError, held: again });
          return null;
        },
      );
      const settled = await settle;
      if (settled) end(settled, (one) => one.id === id);
      return settled !== null;
    },
    refuse: (id, words, calm) =>
      end(
        ({ reject, error }) => reject(withWords(error, calm ? { error: words } : { error: words, code: 'request_closed' })),
        (entry) => entry.id === id && !entry.repeating,
      ),
    leave: (id) => {
      const request = find(id)?.held.request;
      end(leaveEntry, (entry) => entry.held.request === request && !entry.repeating);
    },
    leaveAll: () => end(leaveEntry, (entry) => !entry.repeating),
    subscribe: (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
  };
}
