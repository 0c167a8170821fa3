import { z } from 'zod';
import { deliveryState } from './alerts.ts';
import { limits } from './limits.ts';
import { uuid } from './shapes.ts';

/**
 * A detection's notifications, for its device: the best state of each person's channels.
 * `name`: first name; null for the holder, who is assumed to use the computer.
 */
export const detectionDeliveries = z.object({
  detection: uuid,
  people: z.array(z.object({ name: z.string().max(limits.name_max).nullable(), state: deliveryState })),
});
export type DetectionDeliveries = z.infer<typeof detectionDeliveries>;
