import { z } from 'zod';
import { endpoints } from './endpoint.ts';

export const outageDays = z.union([z.literal(1), z.literal(3), z.literal(7)]);
export type OutageDays = z.infer<typeof outageDays>;

/** `mail`, `sms` or both must be on. */
export const alertSettings = z.object({
  /** Days without a report from a device before its holder and guardians are notified. */
  notify_after_days: outageDays,
  /** A summary by email on Sunday: of each week in which something happened, and once a month (P15.6). */
  weekly: z.boolean(),
  /** The summary of a quiet week, too. */
  every_week: z.boolean(),
  mail: z.boolean(),
  sms: z.boolean(),
});
export type AlertSettings = z.infer<typeof alertSettings>;

export const alertSettingsEndpoints = endpoints({
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
    errors: ['alerts_all_off', 'held', 'hold_limit'],
  },
});
