import type { Trx } from '../db/open.ts';

type Handler<Event> = (trx: Trx, event: Event) => Promise<unknown>;

/**
 * What happens, for parts that are made after the one where it does. The handlers run one after the other in the transaction of what happened,
 * so that an error in one of them undoes it.
 */
export interface EventHub<Events extends object> {
  on<K extends keyof Events>(kind: K, handler: Handler<Events[K]>): void;
  emit<K extends keyof Events>(trx: Trx, kind: K, event: Events[K]): Promise<void>;
}

export function eventHub<Events extends object>(): EventHub<Events> {
  const handlers: { [K in keyof Events]?: Handler<Events[K]>[] } = {};
  return {
    on(kind, handler) {
      handlers[kind] = [...(handlers[kind] ?? []), handler];
    },
    async emit(trx, kind, event) {
      for (const handler of handlers[kind] ?? []) await handler(trx, event);
    },
  };
}
