/** The channels of `server/db/listen.ts` that processes without a database hear of. */
export type RelayedChannel = 'device' | 'definitions';

export const relayedChannels: RelayedChannel[] = ['device', 'definitions'];

/** Its messages are payloads of the channel; '' means that something may have been missed. */
export const eventSubject = (channel: RelayedChannel): string => `porchlight.event.${channel}`;
