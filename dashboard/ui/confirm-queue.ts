import { cancelledWords } from '../lib/error-text.ts';

export interface ConfirmRequest {
  heading: string;
  body: string;
  confirm?: string;
  danger?: boolean;
}

interface Waiting extends ConfirmRequest {
  id: number;
  resolve: () => void;
  reject: (reason: string) => void;
}

export interface ConfirmQueue {
  /** Resolves when the user confirms; rejects with 'Action Cancelled' otherwise (4.49). */
  ask(request: ConfirmRequest): Promise<void>;
  /** The newest request (4.47). */
  first(): (ConfirmRequest & { id: number }) | null;
  confirm(id: number): void;
  cancel(id: number): void;
  subscribe(notify: () => void): () => void;
}

export function confirmQueue(): ConfirmQueue {
  let queue: Waiting[] = [];
  let nextId = 1;
  const listeners = new Set<() => void>();
  const setQueue = (newQueue: Waiting[]) => {
    queue = newQueue;
    for (const notify of listeners) notify();
  };
  const take = (id: number): Waiting | undefined => {
    const waitingRequest = queue.find((w) => w.id === id);
    if (waitingRequest) setQueue(queue.filter((w) => w !== waitingRequest));
    return waitingRequest;
  };
  return {
    ask: (request) => new Promise((resolve, reject) => setQueue([{ ...request, id: nextId++, resolve, reject }, ...queue])),
    first: () => queue[0] ?? null,
    confirm: (id) => take(id)?.resolve(),
    cancel: (id) => take(id)?.reject(cancelledWords),
    subscribe: (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
  };
}
