import { z } from 'zod';
import { time, uuid } from './shapes.ts';

/**
 * *Stop this* of a guardian, for all devices, and *I need help now*, for one (P9.5, P10.6): everything on the list is stopped, allow lists
 * are suspended, and pauses end. `by`: a first name, or the device's name for somebody at the computer.
 */
export const emergencyStop = z.object({ uuid, by: z.string(), since: time, until: time });
export type EmergencyStop = z.infer<typeof emergencyStop>;

/** *Cut the internet there* (P10.6): the device reaches only our server. `may_end`: whether the user there can end it. */
export const networkIsolation = z.object({ uuid, by: z.string(), until: time, may_end: z.boolean() });
export type NetworkIsolation = z.infer<typeof networkIsolation>;

export const emergencyLimits = {
  /** How long a guardian's stop lasts, in milliseconds, and one of *I need help now*. */
  guardian_stop: 24 * 3_600_000,
  help_stop: 3_600_000,
  /** Minutes. */
  isolation_minutes_max: 15,
  /** Isolations of a device in 24 hours. */
  isolations_per_day: 2,
  /** In milliseconds: a guardian whose press alone opened an incident cannot press again for so long, without a new detection. */
  press_again_after: 72 * 3_600_000,
} as const;
