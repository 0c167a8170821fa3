import type { Listener } from '../../../db/listen.ts';
import type { LongPolls } from './long-polls.ts';
import type { NewestDefinitions } from './poll-backend.ts';

export interface PollEventDeps {
  listener: Listener;
  longPolls: LongPolls;
  log: { error(o: object, m: string): void };
  changedOf(knownVersions: Map<string, number>): Promise<string[]>;
  /** Reads the newest definitions, which callers may have cached. */
  newest(): Promise<NewestDefinitions>;
}

/** In milliseconds. */
const retry_ms = 2_000;

/** Wakes waiting devices on database events; after a lost connection, wakes the devices with changes. Reads nothing more after `close`. */
export function wakeOnEvents({ listener, longPolls, log, changedOf, newest }: PollEventDeps): { close(): void } {
  let published: NewestDefinitions = { epoch: 0, version: 0 };
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
  const readPublished = async (): Promise<boolean> => {
    const current = await newest();
    const hasAdvanced = isNewer(current, published);
    if (hasAdvanced) published = current;
    return hasAdvanced;
  };
  catchUpAfter(async () => void (await readPublished()));
  listener.on('device', (device) => {
    if (device) longPolls.wake(device);
    else catchUpAfter(() => longPolls.catchUp(changedOf));
  });
  listener.on('definitions', () => {
    catchUpAfter(async () => {
      if (await readPublished()) longPolls.publish();
    });
  });
  return {
    close() {
      isClosed = true;
    },
  };
}

/** After a restore of the database a higher epoch begins with lower versions. */
const isNewer = (one: NewestDefinitions, other: NewestDefinitions): boolean =>
  one.epoch > other.epoch || (one.epoch === other.epoch && one.version > other.version);
