import type { Person } from '@porchlight/contract/devices.ts';
import type { IncidentSummary } from '@porchlight/contract/incidents.ts';
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

export interface FactInput {
  /** The devices, worst state first. */
  all: DeviceWithState[];
  /** The unanswered alerts. */
  open: SafeAlert[];
  now: Date;
  moment: Date;
  /** The holder's name, if a guardian is reading. */
  holder?: string | undefined;
  /** Those that are open. */
  incidents?: Pick<IncidentSummary, 'opener' | 'state' | 'device' | 'words'>[] | undefined;
  /** Who cannot be reached, for the holder alone. */
  unreached?: Fact[] | undefined;
}

/** A reason not to say that everyone is protected. */
export interface Fact {
  mood: 'danger' | 'stopped' | 'look';
  /** A sentence without a full stop. */
  sentence: string;
  /** A title without times and details. */
  title: string;
  /** Advice for each computer; the device in the sentence gets no text of its own. */
  points: Point[];
}

interface Point {
  text?: string;
  todo?: string;
  who?: PersonAt;
}

/** `A`, `A and B`, `A, B and C`, `A, B and 2 more`. */
export function names(namedItems: { name: string }[]): string {
  const allNames = namedItems.map(({ name }) => name);
  if (allNames.length > 3) return `${allNames.slice(0, 2).join(', ')} and ${allNames.length - 2} more`;
  return allNames.length < 2 ? (allNames[0] ?? '') : `${allNames.slice(0, -1).join(', ')} and ${allNames.at(-1)}`;
}

export function devicesIn(devicesWithState: DeviceWithState[], ...states: DeviceState[]): SafeDevice[] {
  return devicesWithState.filter(({ state }) => states.includes(state)).map(({ device }) => device);
}

/** Advice for the user of a device. If a program was just started there too, the warning of a scammer on the phone replaces any other. */
export function adviceAt(device: SafeDevice, { all, open, holder }: FactInput, otherwise: (user: PersonAt) => string): Point {
  const user = personAt(device, holder);
  const sameUserDevices = all.filter((one) => personAt(one.device, holder).name === user.name).map((one) => one.device.uuid);
  const userAlerts = open.filter(({ device_id }) => sameUserDevices.includes(device_id));
  const running = userAlerts.some(({ info }) => !info.blocked);
  return { who: user, todo: userAlerts.length ? urgentAdvice(user, running) : otherwise(user) };
}
