import { z } from 'zod';
import { actUndo } from './act-undo.ts';
import { told } from './alerts.ts';
import { endpoints } from './endpoint.ts';
import type { PolicyId } from './policies.ts';
import { nothing, time, uuid } from './shapes.ts';

/** Device health, the fire drill, the weekly email, and the activity log of what weakened protection. */

/**
 * Why a device says nothing, or does not protect.
 * - `switched_off`: the computer was shut down, and the agent reported it.
 * - `stopped`: somebody ended the program while the computer went on.
 * - `asleep`: the computer went to sleep, and the agent reported it.
 * - `vanished`: reports stopped without a reason. Known after minutes if that is unusual, else after as many days as the holder chose.
 * - `paused`: it is there, and does not protect until `until` (P4.6).
 * - `uninstalled`: the program was removed, with the PIN (P4.6).
 * - `left`: the computer no longer belongs to this account: it was connected to another one, that was undone, or it has left (P10.8).
 */
export const silence = z.object({
  kind: z.enum(['switched_off', 'asleep', 'stopped', 'vanished', 'paused', 'uninstalled', 'left']),
  since: time,
  /** Of a pause only. */
  until: time.optional(),
});
export type Silence = z.infer<typeof silence>;

export const silenceDays = z.union([z.literal(1), z.literal(3), z.literal(7)]);
export type SilenceDays = z.infer<typeof silenceDays>;

/** What the holder wants to hear, and how. At least one of `mail` and `sms` is on. */
export const alertSettings = z.object({
  /** After so many days without a report from a device its holder and guardians are notified. */
  silence_days: silenceDays,
  /** The mail on Sunday that says how the week was. */
  weekly: z.boolean(),
  mail: z.boolean(),
  sms: z.boolean(),
});
export type AlertSettings = z.infer<typeof alertSettings>;

/** What weakens protection, in the words of the gate through which all of it passes. */
export const actKind = z.enum([
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
  'silence_later',
  'pin_guessed',
  'asked',
  'moved',
  'undone',
  'leaving',
  'left',
  'person_changed',
]);
export type ActKind = z.infer<typeof actKind>;

/** How it was before an act, as far as taking it back needs that. */
export interface ActBefore {
  /** The id of what was allowed. */
  exception?: string;
  /** The profile that a device had, and the one it has since. */
  policy?: PolicyId;
  chosen?: PolicyId;
  /** The profile that was changed. */
  profile?: string;
  /** Who was asked to be a guardian. */
  guardian?: string;
  silence_days?: SilenceDays;
}

/** One entry. Names are stored as they were then: what they name may be gone afterwards. */
export interface WeakeningAct {
  kind: ActKind;
  /** The device it was done to, when it was done to one. */
  device?: { uuid: string; name: string };
  /** What was allowed, chosen, changed, removed or switched off, as people call it; the end of a pause in words. */
  what?: string;
  /** The guardian who is removed: they hear of it once, in words of their own. */
  guardian?: string;
  /** The alert that it is about. */
  alert?: string;
  /** What is allowed lets somebody control the computer from afar. */
  remote_control?: boolean;
  before?: ActBefore;
}

export const act = z.object({
  uuid,
  kind: actKind,
  time,
  /** First name of who did it; or the name of the device, when somebody sat there. */
  by: z.string(),
  /** One whole sentence: `Ann allowed AnyDesk on Den PC.` */
  words: z.string(),
  /** How it is taken back now; null where that is over, done already, or was never possible. */
  undo: actUndo.nullable(),
});
export type Act = z.infer<typeof act>;

/** `reached`: each way to each person who was to get it, and whether it came through. */
export const fireDrill = z.object({ uuid, time, reached: z.array(told) });
export type FireDrill = z.infer<typeof fireDrill>;

export const careEndpoints = endpoints({
  'GET /web/alert-settings': {
    summary: 'What the holder wants to hear, and how',
    access: 'account',
    answer: alertSettings,
    errors: [],
  },
  'PATCH /web/alert-settings': {
    summary: 'Change some of it; mail and texts are never both off',
    access: 'account',
    body: alertSettings.partial(),
    answer: alertSettings,
    errors: ['alerts_all_off'],
  },
  'POST /web/fire-drill': {
    summary: 'Send a marked practice alert to the holder and every guardian, the way a real one goes; at most 3 an hour',
    access: 'account',
    answer: z.object({ uuid }),
    errors: [],
  },
  'GET /web/fire-drill': {
    summary: 'The last practice alert, and who was reached',
    access: 'account',
    answer: z.object({ drill: fireDrill.nullable() }),
    errors: [],
  },
  'GET /web/acts': {
    summary: 'The last 100 acts that weaken protection, newest first',
    access: 'account',
    answer: z.object({ items: z.array(act) }),
    errors: [],
  },
});

/** What an agent says before it falls silent, stops protecting, or protects again. */
export const goodbye = z.object({
  /** `shutdown`, `sleep`: of the computer. `stopped`: of the program alone. `resumed`: before the pause was over. */
  reason: z.enum(['shutdown', 'sleep', 'stopped', 'paused', 'resumed', 'uninstalled']),
  /** The end of a pause; left out with the other reasons. */
  until: time.optional(),
});
export type Goodbye = z.infer<typeof goodbye>;

export const goodbyeEndpoint = {
  'POST /agent/goodbye': {
    summary: 'Why there will be silence, or no protection (P4.6)',
    access: 'device',
    body: goodbye,
    answer: nothing,
    errors: [],
  },
} as const;
