import type { ActUndo, UndoWay } from '@porchlight/contract/act-undo.ts';
import type { ActBefore, ActKind, AlertSettings } from '@porchlight/contract/care.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import { undoWays } from '../../notifications/render/undo-ways.ts';

/** What an act needs to be taken back. */
export interface UndoableAct {
  kind: ActKind;
  time: Date;
  device: string | null;
  what: string | null;
  before: ActBefore | null;
}

/** How the account stands at this moment, as far as acts can be taken back. */
export interface AccountState {
  /** Whether the account has a valid plan: without one most pages lead to the plans. */
  plan: boolean;
  devices: Map<string, { policy: PolicyId; paused_since: Date | null; gone: boolean }>;
  /** Ids of what is allowed. */
  allowed: Set<string>;
  /** Null where this server has no guardians. */
  guardians: { uuid: string; name: string }[] | null;
  /** The profiles that the holder made. */
  profiles: Set<string>;
  settings: AlertSettings;
  /** When an act of each kind was done last. */
  last: Map<ActKind, number>;
}

type Finder = (act: UndoableAct, now: AccountState) => ActUndo | null;

type Page = Extract<UndoWay, 'invite_again' | 'link_again' | 'new_pin' | 'new_password' | 'check_profile'>;
const page = (way: Page) => (possible: boolean) => (possible ? { way } : null);
const isLast = ({ kind, time }: UndoableAct, { last }: AccountState) => last.get(kind) === time.getTime();

const finders: Record<UndoWay, Finder> = {
  resume({ device, time }, { devices }) {
    const paused = device && devices.get(device)?.paused_since?.getTime() === time.getTime();
    return paused ? { way: 'resume', device } : null;
  },
  disallow({ device, before }, { allowed }) {
    const exception = before?.exception;
    return device && exception && allowed.has(exception) ? { way: 'disallow', device, exception } : null;
  },
  profile_back({ device, before }, { devices, profiles }) {
    const { policy, chosen } = before ?? {};
    if (!device || !policy || devices.get(device)?.policy !== chosen) return null;
    // A profile that is gone protected like strict since.
    return { way: 'profile_back', device, policy: policy === 'permissive' || profiles.has(policy) ? policy : 'strict' };
  },
  settings({ kind, what, before }, { settings }) {
    if (kind === 'silence_later') {
      const days = before?.silence_days;
      return days && settings.silence_days > days ? { way: 'settings', settings: { silence_days: days } } : null;
    }
    const off = what === 'emails' ? 'mail' : 'sms';
    return settings[off] ? null : { way: 'settings', settings: { [off]: true } };
  },
  remove_guardian({ before }, { guardians }) {
    const found = guardians?.find(({ uuid }) => uuid === before?.guardian);
    return found ? { way: 'remove_guardian', guardian: found.uuid } : null;
  },
  edit_profile({ before }, { profiles }) {
    const policy = before?.profile;
    return policy && profiles.has(policy) ? { way: 'edit_profile', policy } : null;
  },
  check_device: ({ device }, now) => (device && now.devices.has(device) ? { way: 'check_device', device } : null),
  invite_again: ({ what }, { guardians }) => page('invite_again')(guardians !== null && !guardians.some(({ name }) => name === what)),
  link_again({ device }, { devices }) {
    const now = device ? devices.get(device) : undefined;
    return page('link_again')(!now || now.gone);
  },
  new_pin: (act, now) => page('new_pin')(act.time.getTime() >= (now.last.get('pin_reset') ?? 0)),
  new_password: (act, now) => page('new_password')(isLast(act, now)),
  check_profile: (act, now) => page('check_profile')(isLast(act, now)),
};

/** The ways whose call or page needs a valid plan (6.3). */
const needsPlan: ReadonlySet<UndoWay> = new Set(['profile_back', 'edit_profile', 'check_device', 'link_again', 'new_pin']);

/** How this act can be taken back now; null where that is over, done already, was never possible, or needs a plan that is over. */
export function undoOf(act: UndoableAct, now: AccountState): ActUndo | null {
  const way = undoWays[act.kind];
  if (typeof way !== 'string' || (needsPlan.has(way) && !now.plan)) return null;
  return finders[way](act, now);
}
