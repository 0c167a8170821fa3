import type { Clock } from '../../lib/clock.ts';
import { within } from '../../lib/within.ts';

export interface SharedReading<T> {
  /** Reads again if the last attempt is old enough. All callers share an attempt that is running. Never rejects. */
  refresh(): Promise<void>;
  /** The newest result; null before the first one, and once it is too old to be shown. */
  newest(): T | null;
}

interface SharedReadingOptions<T> {
  clock: Clock;
  /** In milliseconds: the time between two attempts. */
  every: number;
  read(): Promise<T>;
  failed(err: unknown): void;
}

/** A result is shown for this many intervals while newer attempts fail or take long. */
const shown_for = 4;
/** In milliseconds: a connection that was cut off without notice may never answer, and must not stop the readings. */
const give_up_after = 30_000;

/** However often it is asked for, `read` runs at most once in `every`. */
export function sharedReading<T>({ clock, every, read, failed }: SharedReadingOptions<T>): SharedReading<T> {
  let running: Promise<void> | null = null;
  let attempted: number | null = null;
  let result: { value: T; time: number } | null = null;
  /** A clock that was set back must not stop the readings. */
  const ageOf = (time: number) => Math.abs(clock.now().getTime() - time);

  const attempt = async (time: number) => {
    try {
      const answer = await within(
        read().then((value) => ({ value, time })),
        give_up_after,
        () => null,
      );
      if (!answer) throw new Error(`no answer in ${give_up_after} ms`);
      result = answer;
    } catch (err) {
      failed(err);
    }
  };
  return {
    async refresh() {
      if (!running && (attempted === null || ageOf(attempted) >= every)) {
        attempted = clock.now().getTime();
        running = attempt(attempted).finally(() => {
          running = null;
        });
      }
      await running;
    },
    newest: () => (result && ageOf(result.time) < shown_for * every ? result.value : null),
  };
}
