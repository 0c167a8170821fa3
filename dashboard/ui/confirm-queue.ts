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
  /** Resolves when confirmed; rejects with 'Action Cancelled' when not (4.49). */
  ask(request: ConfirmRequest): Promise<void>;
  /** The newest comes first (4.47). */
  first(): (ConfirmRequest & { id: number }) | null;
  confirm(id: number): void;
  cancel(id: number): void;
  subscribe(tell: () => void): () => void;
}

export const actionCancelled = 'Action Cancelled';

export function confirmQueue(): ConfirmQueue {
  let queue: Waiting[] = [];
  let next = 1;
  const listeners = new Set<() => void>();
  const change = (to: Waiting[]) => {
    queue = to;
    for (const tell of listeners) tell();
  };
  const take = (id: number): Waiting | undefined => {
    const found = queue.find((w) => w.id === id);
    if (found) change(queue.filter((w) => w !== found));
    return found;
  };
  return {
    ask: (request) => new Promise((resolve, reject) => change([{ ...request, id: next++, resolve, reject }, ...queue])),
    first: () => queue[0] ?? null,
    confirm: (id) => take(id)?.resolve(),
    cancel: (id) => take(id)?.reject(actionCancelled),
    subscribe: (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
  };
}
