import { z } from 'zod';

/** P1.7: what the dashboard must know before its first call; part of index.html as `<script type="application/json" id="config">`. */
export const dashboardConfig = z.object({
  /** The address people use, without a slash at the end. */
  host: z.string(),
  support: z.object({ title: z.string(), email: z.string(), phone: z.string() }),
  /** Someone works on the product here: pages may speak of commands. */
  development: z.boolean(),
  max_guardians: z.number().int(),
  features: z.object({
    email_check: z.boolean(),
    unverified_banner: z.boolean(),
    guardians: z.boolean(),
    sms: z.boolean(),
    phone_verification: z.boolean(),
  }),
  /** Third parties, each only where the operator has configured it (P7.2), and loaded only with consent. */
  chat: z.object({ base_url: z.string(), website_token: z.string() }).nullable(),
  error_reporting: z.object({ dsn: z.string() }).nullable(),
  analytics: z.object({ url: z.string(), domain: z.string() }).nullable(),
});
export type DashboardConfig = z.infer<typeof dashboardConfig>;
