import type { Listener } from '../../db/listen.ts';
import type { Waiters } from './long-polls.ts';

export interface HearingDeps {
  listener: Listener;
  waiters: Waiters;
  log: { error(o: object, m: string): void };
  /** Of these devices, with the versions of their policies that they know, those whose policy is newer, and those that were removed. */
  changedOf(known: Map<string, number>): Promise<string[]>;
  newestVersion(): Promise<number>;
}

/** Wakes devices for what the database's notices say; after the connection for notices was lost only those for which there is something. */
export function hearNews({ listener, waiters, log, changedOf, newestVersion }: HearingDeps): void {
  let heard = 0;
  const missed = (work: () => Promise<void>) => {
    // Whoever is not woken asks again within half a minute.
    work().catch((err: unknown) => log.error({ err }, 'missed news could not be looked for'));
  };
  const publish = (version: number) => {
    if (version > heard) waiters.publish();
    heard = Math.max(heard, version);
  };
  missed(async () => {
    heard = Math.max(heard, await newestVersion());
  });
  listener.on('device', (device) => {
    if (device) waiters.wake(device);
    else missed(() => waiters.catchUp(changedOf));
  });
  listener.on('definitions', (version) => {
    if (version) publish(Number(version));
    else missed(async () => publish(await newestVersion()));
  });
}
