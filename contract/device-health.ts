import { z } from 'zod';
import { nothing, time } from './shapes.ts';

/**
 * Why a device does not report, or does not protect.
 * - `stopped`: the program ended while the computer ran on.
 * - `vanished`: without a reason; known after minutes if unusual, else after days.
 * - `paused`: it reports, and does not protect until `until` (P4.6). - `uninstalled`: with the PIN (P4.6).
 * - `no_definitions`: it reports, and can block nothing, because it has no definitions. The agent reports this kind again and again.
 * - `left`: the computer joined another account, its owner was restored, or it left (P10.8).
 */
export const deviceOutage = z.object({
  kind: z.enum(['switched_off', 'asleep', 'stopped', 'vanished', 'paused', 'uninstalled', 'left', 'no_definitions']),
  since: time,
  /** Only for a pause. */
  until: time.optional(),
  /** Only for `no_definitions`: by how many days the computer's clock is wrong. */
  clock_off_days: z.number().int().optional(),
});
export type DeviceOutage = z.infer<typeof deviceOutage>;
/** An outage that begins once and ends once. */
export type StoredOutage = Exclude<DeviceOutage['kind'], 'no_definitions'>;

/**
 * What an agent cannot do on its computer, the worst first.
 * - `few_sites_blocked`: only the best-known scam sites. - `other_users_not_ended`: programs that other users or the system started.
 * - `internet_not_cut`: by a guardian (P10.6).
 */
export const agentLimitation = z.enum(['sites_not_blocked', 'few_sites_blocked', 'other_users_not_ended', 'internet_not_cut']);
export type AgentLimitation = z.infer<typeof agentLimitation>;

/** What an agent reports before it goes offline, stops protecting, or protects again. */
export const goodbye = z.object({
  /** `shutdown`, `sleep`: of the computer. `stopped`: of the program alone. `resumed`: a pause ended early. */
  reason: z.enum(['shutdown', 'sleep', 'stopped', 'paused', 'resumed', 'uninstalled']),
  /** The end of a pause; only with `paused`. */
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
