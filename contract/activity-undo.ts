import { z } from 'zod';
import { outageDays } from './alert-settings.ts';
import { browsingProtection } from './browsing-protection.ts';
import { policyId } from './policies.ts';
import { uuid } from './shapes.ts';
import { unlistedProtection } from './unlisted-protection.ts';

/**
 * How the holder can undo an activity-log entry now: those with an id or settings at one press, the others on a page.
 * `profile_back`: restores the device's former profile. `settings`: restores these alert settings.
 * `browsing`: restores this part of the browsing protection. `isolation`: restores whether this guardian may cut the internet.
 * `unlisted`: restores this part of the protection from what is on no list.
 * `guardian_order`: restores the order in which guardians are called.
 */
export const activityUndo = z.discriminatedUnion('way', [
  z.object({ way: z.literal('resume'), device: uuid }),
  z.object({ way: z.literal('disallow'), device: uuid, exception: uuid }),
  z.object({ way: z.literal('profile_back'), device: uuid, policy: policyId }),
  z.object({
    way: z.literal('settings'),
    settings: z.object({ notify_after_days: outageDays, mail: z.boolean(), sms: z.boolean() }).partial(),
  }),
  z.object({ way: z.literal('browsing'), choice: browsingProtection.partial() }),
  z.object({ way: z.literal('unlisted'), choice: unlistedProtection.partial() }),
  z.object({ way: z.literal('ask_first') }),
  z.object({ way: z.literal('isolation'), guardian: uuid, may_isolate: z.boolean().nullable() }),
  z.object({ way: z.literal('guardian_order'), guardians: z.array(uuid) }),
  z.object({ way: z.literal('remove_guardian'), guardian: uuid }),
  z.object({ way: z.literal('edit_profile'), policy: uuid }),
  z.object({ way: z.literal('check_device'), device: uuid }),
  z.object({ way: z.enum(['invite_again', 'link_again', 'new_pin', 'new_password', 'check_profile', 'check_sign_in']) }),
  z.object({ way: z.literal('end_helping'), appointment: uuid }),
  z.object({ way: z.literal('keep_account') }),
]);
export type ActivityUndo = z.infer<typeof activityUndo>;
export type UndoWay = ActivityUndo['way'];
