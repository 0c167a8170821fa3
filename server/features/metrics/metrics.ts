import { Registry } from 'prom-client';
import type { Db } from '../../db/open.ts';
import type { TrafficControl } from '../../db/traffic.ts';
import type { Kernel } from '../../kernel.ts';
import type { Clock } from '../../lib/clock.ts';
import { readDisk } from '../../lib/read-disk.ts';
import { within } from '../../lib/within.ts';
import { databaseCheck } from './database-check.ts';
import { databaseGauges } from './database-gauges.ts';
import { readDevices, readOperation } from './database-readings.ts';
import { serverGauges } from './server-gauges.ts';
import { sharedReading } from './shared-reading.ts';

export interface MetricsDeps extends Pick<Kernel, 'db' | 'clock'> {
  /** With the counters of calls and jobs. One for each server: tests run many in one process. */
  registry: Registry;
  log: { warn(o: object, m: string): void };
  traffic: TrafficControl;
  version: string;
  data_dir: string;
  agentsWaiting(): number;
  ownProblems?: (() => readonly string[]) | undefined;
  certificateExpires?: (() => Date | null) | undefined;
  /** The metrics of Node and the process, which all servers of the process have in common. */
  processMetrics?: (() => Promise<string>) | undefined;
}

export interface Metrics {
  content_type: string;
  /** All metrics in the format of Prometheus, within about a second. Never rejects because of the database. */
  text(): Promise<string>;
}

/** In milliseconds: just below the usual 15 seconds between two scrapes, so that each one finds new values. */
const read_every = 14_000;
const count_devices_every = 60_000;
/** In milliseconds, with the check of the database. What is late is in the next scrape. */
const answer_within = 900;

export const newRegistry = (): Registry => new Registry();

export function serverMetrics(deps: MetricsDeps): Metrics {
  const { registry, db, clock, log, traffic } = deps;
  // Scrapes at the public address are calls of the web, whose connections must not be used.
  const inBackground = <T>(read: (db: Db, clock: Clock) => Promise<T>) =>
    traffic.serve({ kind: 'background', admitted: true }, () => read(db, clock));
  const failed = (err: unknown) => log.warn({ err }, 'a part of the metrics could not be read');
  const operation = sharedReading({ clock, every: read_every, read: () => inBackground(readOperation), failed });
  const devices = sharedReading({ clock, every: count_devices_every, read: () => inBackground(readDevices), failed });
  const disk = sharedReading({ clock, every: read_every, read: () => readDisk(deps.data_dir), failed });
  const checkDatabase = databaseCheck(db, traffic);
  let database_up = false;

  const refreshDatabase = async () => {
    database_up = await checkDatabase();
    if (database_up) await Promise.all([operation.refresh(), devices.refresh()]);
  };
  serverGauges(registry, {
    ...{ version: deps.version, traffic, agentsWaiting: deps.agentsWaiting },
    databaseUp: () => database_up,
    disk: disk.newest,
    certificateExpires: deps.certificateExpires ?? (() => null),
  });
  databaseGauges(registry, {
    clock,
    operation: operation.newest,
    devices: devices.newest,
    ownProblems: deps.ownProblems ?? (() => []),
  });
  return {
    content_type: registry.contentType,
    async text() {
      await within(Promise.all([refreshDatabase(), disk.refresh()]), answer_within, () => {});
      return [await registry.metrics(), (await deps.processMetrics?.()) ?? ''].join('');
    },
  };
}
