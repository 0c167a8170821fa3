import type { Person } from '@porchlight/contract/devices.ts';
import type { DeviceState, Seen } from './device-state.ts';
import type { SafeAlert } from './open-alerts.ts';
import { type PersonAt, personAt, urgentAdvice } from './person-messages.ts';

export interface SafeDevice extends Seen {
  uuid: string;
  name: string;
  person?: Person | null | undefined;
  strict_until?: string | undefined;
}

export interface DeviceWithState {
  device: SafeDevice;
  state: DeviceState;
}

/** What the sentences are made of. */
export interface FactsOf {
  /** The worst first. */
  all: DeviceWithState[];
  /** Those that nobody has answered yet. */
  open: SafeAlert[];
  now: Date;
  moment: Date;
  /** Whose computers they are, where a guardian reads. */
  holder?: string | undefined;
}

/** One thing that keeps us from saying that everyone is protected. */
export interface Fact {
  mood: 'danger' | 'stopped' | 'look';
  /** Without a full stop. */
  sentence: string;
  /** The same without times and details, for the window's title. */
  title: string;
  /** What there is to say and to do about each of the computers; nothing new is said of the one that the sentence names. */
  points: Point[];
}

interface Point {
  said?: string;
  todo?: string;
  who?: PersonAt;
}

/** `A`, `A and B`, `A, B and C`, `A, B and 2 more`. */
export function names(list: { name: string }[]): string {
  const all = list.map(({ name }) => name);
  if (all.length > 3) return `${all.slice(0, 2).join(', ')} and ${all.length - 2} more`;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

export function devicesIn(all: DeviceWithState[], ...states: DeviceState[]): SafeDevice[] {
  return all.filter(({ state }) => states.includes(state)).map(({ device }) => device);
}

/** What to do for whoever sits there. Where something was just started too, a stranger may be on the phone: that is said instead of anything else. */
export function adviceAt(device: SafeDevice, { all, open, holder }: FactsOf, otherwise: (who: PersonAt) => string): Point {
  const who = personAt(device, holder);
  const same = all.filter((one) => personAt(one.device, holder).name === who.name).map((one) => one.device.uuid);
  const theirs = open.filter(({ device_id }) => same.includes(device_id));
  const running = theirs.some(({ info }) => !info.blocked);
  return { who, todo: theirs.length ? urgentAdvice(who, running) : otherwise(who) };
}
