import { isDeepStrictEqual } from 'node:util';
import type { ActivityKind, StateBeforeActivity } from '@porchlight/contract/activity-log.ts';
import type { ActivityUndo, UndoWay } from '@porchlight/contract/activity-undo.ts';
import type { AlertSettings } from '@porchlight/contract/alert-settings.ts';
import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import type { UnlistedProtection } from '@porchlight/contract/unlisted-protection.ts';
import { undoWays } from '../../notifications/render/undo-ways.ts';

export interface UndoableAct {
  kind: ActivityKind;
  time: Date;
  device: string | null;
  what: string | null;
  before: StateBeforeActivity | null;
}

/** The current state, by which acts can be undone or not. */
export interface AccountState {
  /** Without a valid plan most pages redirect to the plans. */
  plan: boolean;
  devices: Map<string, { policy: PolicyId; paused_since: Date | null; gone: boolean }>;
  allowed: Set<string>;
  /** In the order in which they are called. Null on a server where the guardian feature is off. */
  guardians: { uuid: string; name: string; may_isolate: boolean | null }[] | null;
  profiles: Set<string>;
  settings: AlertSettings;
  browsing: BrowsingProtection;
  unlisted: UnlistedProtection;
  ask_first: boolean;
  /** The account will be deleted unless that is stopped (P13.2). */
  deletion_waits: boolean;
  /** The appointments that are running (P15.1). */
  helping: Set<string>;
  last: Map<ActivityKind, number>;
}

type Finder = (entry: UndoableAct, state: AccountState) => ActivityUndo | null;

type Page = Extract<
  UndoWay,
  'invite_again' | 'link_again' | 'new_pin' | 'new_password' | 'check_profile' | 'check_sign_in' | 'keep_account'
>;
const linkWhen = (way: Page) => (possible: boolean) => (possible ? { way } : null);
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
    return { way: 'profile_back', device, policy: policy === 'permissive' || profiles.has(policy) ? policy : 'strict' };
  },
  settings({ kind, what, before }, { settings }) {
    if (kind === 'outage_later') {
      const days = before?.notify_after_days;
      return days && settings.notify_after_days > days ? { way: 'settings', settings: { notify_after_days: days } } : null;
    }
    const channel = what === 'mail' ? 'mail' : 'sms';
    return settings[channel] ? null : { way: 'settings', settings: { [channel]: true } };
  },
  browsing({ kind, before }, { browsing: { browsers, resolver, notification_origins } }) {
    if (kind === 'browsers_off') return browsers ? null : { way: 'browsing', choice: { browsers: true } };
    if (kind === 'notifications_allowed') {
      const others = notification_origins.filter((origin) => !before?.notification_origins?.includes(origin));
      return others.length < notification_origins.length ? { way: 'browsing', choice: { notification_origins: others } } : null;
    }
    const previousResolver = before?.resolver;
    return previousResolver && resolver === 'network' ? { way: 'browsing', choice: { resolver: previousResolver } } : null;
  },
  unlisted({ before }, { unlisted }) {
    const former = Object.entries(before?.unlisted ?? {});
    const isRestored = former.every(([part, choice]) => isDeepStrictEqual(unlisted[part as keyof UnlistedProtection], choice));
    return former.length && !isRestored ? { way: 'unlisted', choice: before?.unlisted ?? {} } : null;
  },
  ask_first: (_entry, { ask_first }) => (ask_first ? null : { way: 'ask_first' }),
  isolation({ before }, { guardians }) {
    const foundGuardian = guardians?.find(({ uuid }) => uuid === before?.guardian);
    const may_isolate = before?.may_isolate;
    // Whatever gives as much as before, or more, stays.
    const isRestored = foundGuardian?.may_isolate === true || foundGuardian?.may_isolate === may_isolate;
    return foundGuardian && may_isolate !== undefined && !isRestored
      ? { way: 'isolation', guardian: foundGuardian.uuid, may_isolate }
      : null;
  },
  guardian_order({ before }, { guardians }) {
    const current = guardians?.map(({ uuid }) => uuid) ?? [];
    // Who was removed is left out, and who was added since stays last.
    const former = (before?.guardian_order ?? []).filter((uuid) => current.includes(uuid));
    const isChanged = former.some((uuid, n) => uuid !== current[n]);
    return isChanged ? { way: 'guardian_order', guardians: former } : null;
  },
  remove_guardian({ before }, { guardians }) {
    const foundGuardian = guardians?.find(({ uuid }) => uuid === before?.guardian);
    return foundGuardian ? { way: 'remove_guardian', guardian: foundGuardian.uuid } : null;
  },
  edit_profile({ before }, { profiles }) {
    const policy = before?.profile;
    return policy && profiles.has(policy) ? { way: 'edit_profile', policy } : null;
  },
  check_device: ({ device }, state) => (device && state.devices.has(device) ? { way: 'check_device', device } : null),
  invite_again: ({ what }, { guardians }) => linkWhen('invite_again')(guardians !== null && !guardians.some(({ name }) => name === what)),
  link_again({ device }, { devices }) {
    const device_state = device ? devices.get(device) : undefined;
    return linkWhen('link_again')(!device_state || device_state.gone);
  },
  new_pin: (entry, state) => linkWhen('new_pin')(entry.time.getTime() >= (state.last.get('pin_reset') ?? 0)),
  new_password: (entry, state) => linkWhen('new_password')(isLast(entry, state)),
  check_profile: (entry, state) => linkWhen('check_profile')(isLast(entry, state)),
  check_sign_in: (entry, state) => linkWhen('check_sign_in')(isLast(entry, state)),
  end_helping({ before }, { helping }) {
    const appointment = before?.appointment;
    return appointment && helping.has(appointment) ? { way: 'end_helping', appointment } : null;
  },
  keep_account: (entry, state) => linkWhen('keep_account')(state.deletion_waits && isLast(entry, state)),
};

/** The ways to undo an act that need a valid plan (6.3). */
const needsPlan: ReadonlySet<UndoWay> = new Set(['profile_back', 'edit_profile', 'check_device', 'link_again', 'new_pin']);

/** How an act can be undone; null if that is not possible now. */
export function undoOf(entry: UndoableAct, state: AccountState): ActivityUndo | null {
  const way = undoWays[entry.kind];
  if (typeof way !== 'string' || (needsPlan.has(way) && !state.plan)) return null;
  return finders[way](entry, state);
}
