import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import { day, hour, minute } from '@porchlight/contract/time.ts';
import type { GuardiansFact } from '../../incident-ports.ts';

/** How long a yes opens exactly that call, where only its caller can make it (P10.1). */
export const yes_open = 10 * minute;
/** How long the server may take to make a call after a yes (P15.8). */
export const server_open = day;
/** How long a no wins over a yes (P10.1). */
export const no_wins = day;
/** When the same call passes without an answer (P10.2). */
export const waits: Record<HoldRule, number> = { hour, day };
/** How long after `waits` the call can still be made. */
export const waited_open = day;

export type HoldRule = 'hour' | 'day';
export type HoldCause = 'incident' | 'second_act' | 'ask_first' | 'helped_twice';

/** Whether a held request is needed for this kind (P10.1). Activities that agents report have happened already, so the gate logs them. */
export const waitsForYes: Record<ActivityKind, boolean> = {
  pin_shown: true,
  pin_reset: true,
  allowed: true,
  profile_chosen: true,
  profile_changed: true,
  device_removed: true,
  guardian_added: true,
  guardian_removed: true,
  email_changed: true,
  phone_changed: true,
  alerts_off: true,
  outage_later: true,
  browsers_off: true,
  resolver_off: true,
  notifications_allowed: true,
  unlisted_off: true,
  person_changed: true,
  ask_first_off: true,
  isolation_off: true,
  guardians_reordered: true,
  call_consent_off: true,
  deletion_asked: true,
  helping: true,
  // A changed password locks a thief out, and does not count for P10.2 until the incident is over.
  password_changed: false,
  // The same is true of what replaces or accompanies a password (P10.1).
  sign_in_added: false,
  sign_in_removed: false,
  recovery_codes_made: false,
  recovery_code_used: false,
  logged_out_everywhere: false,
  account_downloaded: false,
  deletion_stopped: false,
  paused: false,
  uninstalled: false,
  pin_guessed: false,
  asked: false,
  device_added: false,
  device_unknown: false,
  left_out: false,
  moved: false,
  undone: false,
  leaving: false,
  left: false,
};

/** The device of an incident, or of a second activity. */
export interface DeviceFact {
  /** Somebody other than the holder uses it, and this counts (P8.1). */
  someone_elses: boolean;
  /** The caller is at this device: in its network, or in a browser that its agent has answered (P10.2). */
  near: boolean;
}

/** The newest request for exactly this call that is not done. */
export interface RequestFact {
  time: Date;
  rule: HoldRule;
  /** The newest answer of each kind. `lifted`: by the operator. */
  yes: Date | null;
  no: Date | null;
  lifted: Date | null;
  /** In milliseconds: how long a yes opens the call. */
  opens_for: number;
}

export interface HoldFacts {
  now: Date;
  /** `agent`: a report of what has happened. `operator`: the operator's command. */
  caller: 'holder' | 'agent' | 'operator';
  kinds: ActivityKind[];
  incidents: DeviceFact[];
  /** The devices that the call is about: one, or for an act on the account every connected one (P18.2). */
  about: DeviceFact[];
  ask_first: boolean;
  /** The call is the second different one within an hour (P9.1). */
  second: boolean;
  /** More than passes without a yes for any caller (P15.1). */
  over_limit: boolean;
  /** The password or a passkey was given in this session within 10 minutes, and counts (see `holder-proofs.ts`). */
  password: boolean;
  /**
   * The call removes an active guardian. `presser`: whose presses of *Stop this* alone opened every open incident, so that it waits an hour
   * at most (P10.6). Null: it does something else.
   */
  removes: 'presser' | 'other' | null;
  /** `some`: active guardians, whether or not they may answer. `gone`: none now, but within 7 days. */
  guardians: GuardiansFact;
  request: RequestFact | null;
}

/**
 * `via`: why the call passes. `own`: the holder of somebody else's computer, who is elsewhere. `waited`: without an answer.
 * `passes`: when the call will pass without an answer. `needs_password`: that time has come, and only the password is missing.
 */
export type HoldDecision =
  | { passes: true; via: 'free' | 'own' | 'yes' | 'lifted' | 'waited'; opens: boolean }
  | { passes: false; cause: HoldCause; rule: HoldRule; opens: boolean; needs_password: boolean };

/** The holder of somebody else's computer is who a scammer there cannot be, if they are elsewhere and know the password. */
export const isOwnDevice = ({ someone_elses, near }: DeviceFact, password: boolean): boolean => someone_elses && password && !near;

/** Whether the holder of these devices, of which there is one at least, is exempt. */
export const areOwnDevices = (devices: DeviceFact[], password: boolean): boolean =>
  devices.length > 0 && devices.every((device) => isOwnDevice(device, password));

/** Whether a weakening call passes the gate (P10.1 to P10.3). `opens`: it opens an incident, as the second activity (P9.1). */
export function decideHold(facts: HoldFacts): HoldDecision {
  const { now, caller, kinds, incidents, about, second, request, password } = facts;
  if (caller !== 'holder') return { passes: true, via: 'free', opens: caller === 'agent' && second };
  if (!kinds.some((kind) => waitsForYes[kind])) return { passes: true, via: 'free', opens: false };

  const isExempt =
    (incidents.length > 0 || second) && areOwnDevices(about, password) && incidents.every((device) => isOwnDevice(device, password));
  const cause = causeOf(facts, isExempt);
  if (cause === null) return { passes: true, via: isExempt ? 'own' : 'free', opens: false };

  const opens = cause === 'second_act';
  const rule = ruleOf(facts);
  const refused = { passes: false, cause, rule, opens, needs_password: false } as const;
  if (!request) return refused;
  const age = (time: Date | null) => (time === null ? Number.POSITIVE_INFINITY : now.getTime() - time.getTime());
  if (age(request.no) < no_wins) return refused;
  if (age(request.lifted) < request.opens_for) return { passes: true, via: 'lifted', opens: false };
  if (age(request.yes) < request.opens_for) return { passes: true, via: 'yes', opens: false };
  const waited = age(request.time) - waits[rule];
  if (waited < 0 || waited >= waited_open) return refused;
  return password ? { passes: true, via: 'waited', opens: false } : { ...refused, needs_password: true };
}

/** A request keeps its rule, except about a guardian's removal: the incident may have got another opener since, or only that guardian's. */
function ruleOf({ removes, request, guardians }: HoldFacts): HoldRule {
  if (removes !== null) return removes === 'presser' ? 'hour' : 'day';
  return request?.rule ?? (guardians === 'none' ? 'hour' : 'day');
}

function causeOf({ incidents, ask_first, second, over_limit }: HoldFacts, isExempt: boolean): HoldCause | null {
  if (incidents.length && !isExempt) return 'incident';
  // The switch holds always, also for the holder of somebody else's computer, who may answer.
  if (ask_first) return 'ask_first';
  if (over_limit) return 'helped_twice';
  return second && !incidents.length && !isExempt ? 'second_act' : null;
}
