import type { Listener } from '../../../db/listen.ts';
import type { LongPolls } from './long-polls.ts';

export interface PollEventDeps {
  listener: Listener;
  longPolls: LongPolls;
  log: { error(o: object, m: string): void };
  changedOf(knownVersions: Map<string, number>): Promise<string[]>;
  /** Reads the newest version of the definitions, which callers may have cached. */
  newestVersion(): Promise<number>;
}

/** In milliseconds. */
const retry_ms = 2_000;

/** Wakes waiting devices on database events; after a lost connection, wakes the devices with changes. Reads nothing more after `close`. */
export function wakeOnEvents({ listener, longPolls, log, changedOf, newestVersion }: PollEventDeps): { close(): void } {
  let newestPublished = 0;
  let isClosed = false;
  /** Repeats `work` until it succeeds: a poll that nobody wakes waits for minutes. */
  const catchUpAfter = (work: () => Promise<void>) => {
    if (isClosed) return;
    work().catch((err: unknown) => {
      if (isClosed) return;
      log.error({ err }, 'missed changes could not be read; trying again');
      setTimeout(() => catchUpAfter(work), retry_ms).unref();
    });
  };
  const publish = (version: number) => {
    if (version > newestPublished) longPolls.publish();
    newestPublished = Math.max(newestPublished, version);
  };
  catchUpAfter(async () => {
    newestPublished = Math.max(newestPublished, await newestVersion());
  });
  listener.on('device', (device) => {
    if (device) longPolls.wake(device);
    else catchUpAfter(() => longPolls.catchUp(changedOf));
  });
  listener.on('definitions', (version) => {
    // A raised epoch is part of what was published, so it is read again in any case.
    catchUpAfter(async () => publish(Math.max(Number(version), await newestVersion())));
  });
  return {
    close() {
      isClosed = true;
    },
  };
}
