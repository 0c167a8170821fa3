import { eventSubject, type RelayedChannel, relayedChannels } from './event-subjects.ts';
import type { Nats } from './nats.ts';

/** What `leadership` needs: it begins and ends the relaying of this process. */
export interface Relay {
  began(): void;
  ended(): void;
  /** Only a process that is connected to NATS can relay. */
  isEligible(): boolean;
}

/**
 * Publishes by NATS what the process hears from PostgreSQL, from `began` to `ended`. Exactly one server should relay at a time. While two do,
 * listeners get each event twice, which is harmless: an event says only that something should be read again. Before it relays events it
 * publishes '' on each channel, because those before it may be lost, and again after each connection to NATS.
 */
export function relay(nats: Nats, listener: { on(channel: RelayedChannel, callback: (payload: string) => void): void }): Relay {
  let relays = false;
  const publish = (channel: RelayedChannel, payload: string) => {
    if (relays) nats.publish(eventSubject(channel), payload);
  };
  const resynchronise = () => {
    for (const channel of relayedChannels) publish(channel, '');
  };
  for (const channel of relayedChannels) listener.on(channel, (payload) => publish(channel, payload));
  nats.onConnected(resynchronise);
  return {
    began() {
      relays = true;
      resynchronise();
    },
    ended() {
      relays = false;
    },
    isEligible: () => nats.isConnected(),
  };
}
