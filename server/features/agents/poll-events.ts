import type { Listener } from '../../db/listen.ts';
import type { LongPolls } from './long-polls.ts';

export interface PollEventDeps {
  listener: Listener;
  longPolls: LongPolls;
  log: { error(o: object, m: string): void };
  /** Of these devices, with the versions of their policies that they know, those whose policy is newer, and those that were removed. */
  changedOf(known: Map<string, number>): Promise<string[]>;
  newestVersion(): Promise<number>;
}

/** Wakes devices for what the database's notices say; after the connection for notices was lost only those for which there is something. */
export function wakeOnEvents({ listener, longPolls, log, changedOf, newestVersion }: PollEventDeps): void {
  let heard = 0;
  const missed = (work: () => Promise<void>) => {
    // A device that is not woken polls again within half a minute.
    work().catch((err: unknown) => log.error({ err }, 'missed news could not be looked for'));
  };
  const publish = (version: number) => {
    if (version > heard) longPolls.publish();
    heard = Math.max(heard, version);
  };
  missed(async () => {
    heard = Math.max(heard, await newestVersion());
  });
  listener.on('device', (device) => {
    if (device) longPolls.wake(device);
    else missed(() => longPolls.catchUp(changedOf));
  });
  listener.on('definitions', (version) => {
    if (version) publish(Number(version));
    else missed(async () => publish(await newestVersion()));
  });
}
