import { z } from 'zod';
import { policyId } from './policies.ts';
import { uuid } from './shapes.ts';

/**
 * How the holder takes an act back that weakened protection, at this moment. Those with an id or settings are done by one press; the others lead to
 * where it is done.
 * - `resume`: the pause ends. - `disallow`: it is no longer allowed. - `profile_back`: the device gets the profile it had. - `settings`: these are put back.
 * - `remove_guardian`: who was asked is no guardian. - `edit_profile`, `check_device`, `invite_again`, `link_again`, `new_pin`, `new_password`, `check_profile`: pages.
 */
export const actUndo = z.discriminatedUnion('way', [
  z.object({ way: z.literal('resume'), device: uuid }),
  z.object({ way: z.literal('disallow'), device: uuid, exception: uuid }),
  z.object({ way: z.literal('profile_back'), device: uuid, policy: policyId }),
  z.object({
    way: z.literal('settings'),
    settings: z
      .object({ silence_days: z.union([z.literal(1), z.literal(3), z.literal(7)]), mail: z.boolean(), sms: z.boolean() })
      .partial(),
  }),
  z.object({ way: z.literal('remove_guardian'), guardian: uuid }),
  z.object({ way: z.literal('edit_profile'), policy: uuid }),
  z.object({ way: z.literal('check_device'), device: uuid }),
  z.object({ way: z.enum(['invite_again', 'link_again', 'new_pin', 'new_password', 'check_profile']) }),
]);
export type ActUndo = z.infer<typeof actUndo>;
export type UndoWay = ActUndo['way'];
