import type { Registry } from 'prom-client';
import type { Clock } from '../../lib/clock.ts';
import type { DeviceState, OperationReading } from './database-readings.ts';
import { gaugeOf, type Sample, seconds, valueOf } from './gauge.ts';
import { laneNames } from './job-metrics.ts';

export interface DatabaseGaugesDeps {
  clock: Clock;
  /** Null while there is no reading of the last minute. */
  operation: () => OperationReading | null;
  devices: () => Record<DeviceState, number> | null;
  /** Problems of this server that are not in the database, such as that the database is away. */
  ownProblems: () => readonly string[];
}

const carriers = ['mail', 'sms'];

/** What all servers on the database have in common. Without a reading the values are absent, because an old one would be wrong. */
export function databaseGauges(registry: Registry, { clock, operation, devices, ownProblems }: DatabaseGaugesDeps): void {
  const ofLanes = (read: (lane: string, reading: OperationReading) => number): Sample<'lane'>[] => {
    const reading = operation();
    return reading ? laneNames.map((lane) => [{ lane }, read(lane, reading)]) : [];
  };
  const dueIn = (lane: string, { due }: OperationReading) => due.find((one) => one.lane === lane);
  const timeOf = (read: (reading: OperationReading) => Date | null | undefined) => {
    const reading = operation();
    const time = reading && read(reading);
    return time ? seconds(time) : null;
  };

  gaugeOf(registry, 'porchlight_devices', {
    help: 'Devices by state, counted up to 100000 of each: online, offline (no call for four minutes) or not_installed.',
    labels: ['state'],
    read: () => Object.entries(devices() ?? {}).map(([state, count]): Sample<'state'> => [{ state }, count]),
  });
  gaugeOf(registry, 'porchlight_jobs_due', {
    help: 'Jobs of a lane that could run now, counted up to 10000.',
    labels: ['lane'],
    read: () => ofLanes((lane, reading) => dueIn(lane, reading)?.count ?? 0),
  });
  gaugeOf(registry, 'porchlight_jobs_oldest_due_seconds', {
    help: 'How long the first job of a lane has been due.',
    labels: ['lane'],
    read: () =>
      ofLanes((lane, reading) => {
        const oldest = dueIn(lane, reading)?.oldest;
        return oldest ? Math.max(0, seconds(clock.now()) - seconds(oldest)) : 0;
      }),
  });
  gaugeOf(registry, 'porchlight_jobs_failed', {
    help: 'Dead letters of a lane, of the newest 10000.',
    labels: ['lane'],
    read: () => ofLanes((lane, { dead }) => dead.get(lane) ?? 0),
  });
  gaugeOf(registry, 'porchlight_carrier_away', {
    help: 'Whether a carrier of messages accepts nothing at all now.',
    labels: ['carrier'],
    read: () => {
      const away = operation()?.carriers_away;
      return away ? carriers.map((carrier): Sample<'carrier'> => [{ carrier }, Number(away.includes(carrier))]) : [];
    },
  });
  valueOf(registry, 'porchlight_definitions_version', {
    help: 'Version of the newest definitions.',
    read: () => operation()?.definitions?.version ?? null,
  });
  valueOf(registry, 'porchlight_definitions_published_timestamp_seconds', {
    help: 'When the newest definitions were published.',
    read: () => timeOf(({ definitions }) => definitions?.issued),
  });
  valueOf(registry, 'porchlight_definitions_feed_fetched_timestamp_seconds', {
    help: 'When the feed of definitions was last fetched, or last had nothing newer.',
    read: () => timeOf(({ feed }) => feed),
  });
  gaugeOf(registry, 'porchlight_site_list_fetched_timestamp_seconds', {
    help: 'When a list of sites was last fetched, or for the list that ships with the server, of when it is.',
    labels: ['list'],
    read: () => fetchTimes(operation()?.lists ?? []),
  });
  valueOf(registry, 'porchlight_backup_timestamp_seconds', {
    help: 'When the newest backup by the command was made.',
    read: () => timeOf(({ backup }) => backup),
  });
  gaugeOf(registry, 'porchlight_problem', {
    help: '1 for each problem that the operator was notified of and that has not ended.',
    labels: ['problem'],
    read: () => [...new Set([...(operation()?.problems ?? []), ...ownProblems()])].map((problem): Sample<'problem'> => [{ problem }, 1]),
  });
}

/** Lists that have the same name are one series, with the oldest time. */
function fetchTimes(lists: OperationReading['lists']): Sample<'list'>[] {
  const times = new Map<string, number>();
  for (const { url, fetched } of lists) {
    const list = listName(url);
    times.set(list, Math.min(times.get(list) ?? Number.POSITIVE_INFINITY, seconds(fetched)));
  }
  return [...times].map(([list, time]) => [{ list }, time]);
}

/** Without user, password and query, which may be an operator's key to a paid list. */
function listName(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
