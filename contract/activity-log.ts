import { z } from 'zod';
import { activityUndo } from './activity-undo.ts';
import type { OutageDays } from './alert-settings.ts';
import { endpoints } from './endpoint.ts';
import type { PolicyId } from './policies.ts';
import type { ResolverChoice } from './protective-resolvers.ts';
import { time, uuid } from './shapes.ts';
import type { UnlistedProtection } from './unlisted-protection.ts';

/** What weakens protection and is therefore in the activity log. */
export const activityKind = z.enum([
  'pin_shown',
  'pin_reset',
  'allowed',
  'profile_chosen',
  'profile_changed',
  'paused',
  'uninstalled',
  'device_removed',
  'guardian_added',
  'guardian_removed',
  'email_changed',
  'phone_changed',
  'password_changed',
  'alerts_off',
  'outage_later',
  'browsers_off',
  'resolver_off',
  'notifications_allowed',
  'pin_guessed',
  'asked',
  'moved',
  'undone',
  'leaving',
  'left',
  'person_changed',
  'ask_first_off',
  'isolation_off',
  'guardians_reordered',
  'call_consent_off',
  'sign_in_added',
  'sign_in_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'logged_out_everywhere',
  'account_downloaded',
  'deletion_asked',
  'deletion_stopped',
  'unlisted_off',
  'device_added',
  'device_unknown',
  'left_out',
  'helping',
]);
export type ActivityKind = z.infer<typeof activityKind>;

export interface StateBeforeActivity {
  /** The id of the new allow-list entry. */
  exception?: string;
  appointment?: string;
  policy?: PolicyId;
  chosen?: PolicyId;
  profile?: string;
  guardian?: string;
  may_isolate?: boolean | null;
  /** The ids of all guardians, in the order in which they were called. */
  guardian_order?: string[];
  notify_after_days?: OutageDays;
  resolver?: ResolverChoice;
  /** The websites that were added to those that may send notifications. */
  notification_origins?: string[];
  /** The former choice of the part that was weakened. */
  unlisted?: Partial<UnlistedProtection>;
}

/** Names are stored, since device or guardian may be deleted later. */
export interface WeakeningActivity {
  kind: ActivityKind;
  device?: { uuid: string; name: string };
  /** Text for people: the allowed program, the chosen profile, the removed guardian, the way to sign in; for a pause its end, for a deletion its date. */
  what?: string;
  /** This guardian's notification has its own text. */
  guardian?: string;
  alert?: string;
  /** Whether the allowed program is a remote control. */
  remote_control?: boolean;
  /** Whether an allow-list entry is about a program, which can start, and not about a website. */
  program?: boolean;
  /** When an allow-list entry ends; null: when somebody removes it. */
  until?: Date | null;
  /** The length of a pause in milliseconds. */
  pause_ms?: number;
  /** It waits for a yes however it is proven: more than passes without one. */
  over_limit?: boolean;
  /** Whether the removed guardian was added within 72 hours. */
  new_guardian?: boolean;
  before?: StateBeforeActivity;
}

/** What the sentence about an activity is made from. */
export const activityFacts = z.object({
  kind: activityKind,
  /** The first name of the user who did it, or `You`. */
  who: z.string(),
  /** Empty if it is about no device. */
  device: z.string(),
  what: z.string(),
});
export type ActivityFacts = z.infer<typeof activityFacts>;

export const activityEntry = activityFacts.extend({
  uuid,
  time,
  /** The actor's first name, or the device's name for somebody at the computer. */
  by: z.string(),
  /** `Ann allowed AnyDesk on Den PC.` */
  words: z.string(),
  /** Null if the action can no longer be undone, or never could. */
  undo: activityUndo.nullable(),
});
export type ActivityEntry = z.infer<typeof activityEntry>;

export const activityLogEndpoints = endpoints({
  'GET /web/acts': {
    summary: 'The last 100 acts that weaken protection, newest first',
    access: 'account',
    answer: z.object({ items: z.array(activityEntry) }),
    errors: [],
  },
});
