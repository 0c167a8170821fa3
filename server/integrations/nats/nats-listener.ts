import { eventSubject, type RelayedChannel, relayedChannels } from './event-subjects.ts';
import type { Nats } from './nats.ts';

/** A `Listener` of `server/db/listen.ts` for a process without a database. */
interface NatsListener {
  /**
   * `callback` gets '' after each connection to NATS, also the first one, and when a relay may have missed something. Payloads can arrive twice
   * while two servers relay, and before the '' that follows a connection.
   */
  on(channel: RelayedChannel, callback: (payload: string) => void): void;
  /** The connection is closed by who opened it. */
  close(): Promise<void>;
}

/** What the server relays that has the database: NATS delivers at most once, so each connection begins with ''. */
export function natsListener(nats: Nats): NatsListener {
  const callbacksOf = new Map<RelayedChannel, ((payload: string) => void)[]>();
  let closed = false;
  const emit = (channel: RelayedChannel, payload: string) => {
    if (!closed) for (const callback of callbacksOf.get(channel) ?? []) callback(payload);
  };
  for (const channel of relayedChannels) nats.subscribe(eventSubject(channel), (payload) => emit(channel, payload));
  nats.onConnected(() => {
    for (const channel of relayedChannels) emit(channel, '');
  });
  return {
    on: (channel, callback) => void callbacksOf.set(channel, [...(callbacksOf.get(channel) ?? []), callback]),
    async close() {
      closed = true;
    },
  };
}
