import { z } from 'zod';
import { deliveryState } from './alerts.ts';
import { limits } from './limits.ts';
import { uuid } from './shapes.ts';

/**
 * The notifications of a detection, as its device may know them. For each person the best state of all channels: `sent` when one of them
 * went out. `name`: the first name; null for the holder, who is taken for the user of the computer.
 */
export const toldOf = z.object({
  detection: uuid,
  people: z.array(z.object({ name: z.string().max(limits.name_max).nullable(), state: deliveryState })),
});
export type ToldOf = z.infer<typeof toldOf>;
