import type { DeviceOutage } from '@porchlight/contract/device-health.ts';
import { zero_time } from '@porchlight/contract/limits.ts';
import type { SafeAlert } from '../lib/open-alerts.ts';
import type { SafeDevice } from '../lib/safe-fact.ts';

/** Computers in every state, and all mixes of them. */

export const now = new Date(2026, 10, 21, 15, 0);
export const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();

interface Condition {
  device: Partial<SafeDevice>;
  alert?: Partial<SafeAlert['info']> & { answer?: 'mine' | 'sorted' };
}

const silentDevice = (kind: DeviceOutage['kind'], until?: string): Condition => ({
  device: { last_seen: ago(1), outage: { kind, since: ago(1), ...(until ? { until } : {}) } },
});

export const conditions = {
  protected: { device: {} },
  'not stopped': { device: {}, alert: { blocked: false } },
  stopped: { device: {}, alert: {} },
  answered: { device: {}, alert: { answer: 'sorted' } },
  paused: silentDevice('paused', ago(-0.5)),
  ended: silentDevice('stopped'),
  uninstalled: silentDevice('uninstalled'),
  left: silentDevice('left'),
  'no goodbye': silentDevice('vanished'),
  limited: { device: { limitations: ['sites_not_blocked', 'other_users_not_ended'] } },
  'switched off': silentDevice('switched_off'),
  asleep: silentDevice('asleep'),
  pending: { device: { last_seen: null, login_code: 'ABCD-EFGH', login_code_expires: ago(-100) } },
  'expired code': { device: { last_seen: null, login_code: 'ABCD-EFGH', login_code_expires: ago(100) } },
} as const satisfies Record<string, Condition>;

/** Conditions that matter only for a single computer. */
export const singleConditions = {
  'seen this morning': { device: { last_seen: ago(6) } },
  'not seen for two days': { device: { last_seen: ago(48) } },
  'switched off long ago': { device: { last_seen: ago(400), outage: { kind: 'switched_off', since: ago(400) } } },
  'pending, no end known': { device: { last_seen: null, login_code: 'ABCD-EFGH' } },
  'pending, as a guardian sees it': { device: { last_seen: null } },
  'a site stopped': { device: {}, alert: { site: true, name: 'evil.test' } },
  'a site not stopped': { device: {}, alert: { site: true, name: 'evil.test', blocked: false } },
  'stopped, looks like it': { device: {}, alert: { certainty: 'likely' } },
  'not stopped, looks like it': { device: {}, alert: { certainty: 'likely', blocked: false } },
  'stopped, it was me': { device: {}, alert: { answer: 'mine' } },
  'not stopped, sorted': { device: {}, alert: { blocked: false, answer: 'sorted' } },
  'stopped two days ago': { device: { last_detection: ago(48) }, alert: { last_time: ago(48) } },
  'an alert that is not in the list': { device: { last_detection: ago(2) } },
  'stopped, then uninstalled': { device: silentDevice('uninstalled').device, alert: {} },
  'not stopped, then paused': { device: silentDevice('paused', ago(-0.5)).device, alert: { blocked: false } },
  'stopped, then no goodbye': { device: silentDevice('vanished').device, alert: {} },
  'stopped, then switched off': { device: silentDevice('switched_off').device, alert: {} },
  'will leave': { device: { leaves: ago(-24) } },
  'stopped, and will leave': { device: { leaves: ago(-24) }, alert: {} },
  'fewer sites': { device: { limitations: ['few_sites_blocked'] } },
  'switched off, and limited': { device: { ...silentDevice('switched_off').device, limitations: ['sites_not_blocked'] } },
  'stopped, and limited': { device: { limitations: ['internet_not_cut'] }, alert: {} },
  'will leave, and limited': { device: { leaves: ago(-24), limitations: ['sites_not_blocked', 'internet_not_cut'] } },
  'no definitions': { device: { outage: { kind: 'no_definitions', since: ago(0), clock_off_days: 0 } } },
  'no definitions, and a wrong clock': { device: { outage: { kind: 'no_definitions', since: ago(0), clock_off_days: 40 } } },
  'just changed hands': { device: { strict_until: ago(-20) } },
} as const satisfies Record<string, Condition>;

export type ConditionName = keyof typeof conditions | keyof typeof singleConditions;

/** The first computer has no named user, the second is somebody else's, the third the holder's own. */
const computers = [
  { name: 'Den PC', person: null },
  { name: 'Mum’s laptop', person: { name: 'Mum', phone_number: '+12025550143', is_holder: false } },
  { name: 'Attic Mac', person: { name: '', phone_number: '', is_holder: true } },
];

export interface Mix {
  devices: SafeDevice[];
  alerts: SafeAlert[];
}

export function mixOf(names: ConditionName[], firstComputer = 0): Mix {
  const entries = names.map((name, i) =>
    madeOf({ ...singleConditions, ...conditions }[name], computers[(firstComputer + i) % computers.length] ?? { name, person: null }, i),
  );
  return { devices: entries.map(({ device }) => device), alerts: entries.flatMap(({ alert }) => alert ?? []) };
}

function madeOf({ device, alert }: Condition, computer: Pick<SafeDevice, 'name' | 'person'>, i: number) {
  const uuid = computer.name;
  const { answer, ...info } = alert ?? {};
  const last_time = info.last_time ?? ago(i + 2);
  const answers = answer && [{ answer, by: 'Bob', you: false, time: ago(0.5) }];
  const program = ['AnyDesk', 'TeamViewer', 'RustDesk'][i] ?? 'AnyDesk';
  return {
    device: { uuid, ...computer, last_seen: ago(0), last_detection: alert ? last_time : zero_time, ...device },
    alert: alert && {
      uuid: `alert on ${uuid}`,
      device_id: uuid,
      info: { name: program, blocked: true, certainty: 'certain' as const, site: false, ...info, last_time },
      ...(answers && { answers }),
    },
  };
}

/** Combinations with repetition, regardless of order. */
export function mixes<T>(items: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return items.flatMap((one, i) => mixes(items.slice(i), count - 1).map((restMix) => [one, ...restMix]));
}
