import { z } from 'zod';

/** The dashboard's configuration, in index.html as `<script type="application/json" id="config">` (P1.7). */
export const dashboardConfig = z.object({
  /** The server's address without a trailing slash. */
  host: z.string(),
  support: z.object({ title: z.string(), email: z.string(), phone: z.string() }),
  /** Lets pages mention commands. */
  development: z.boolean(),
  max_guardians: z.number().int(),
  features: z.object({
    email_check: z.boolean(),
    unverified_banner: z.boolean(),
    guardians: z.boolean(),
    sms: z.boolean(),
    phone_verification: z.boolean(),
  }),
  /** Whether this server makes phone calls (P11.1). */
  calls: z.boolean(),
  /**
   * Web Push (P11.6); null: switched off. `public_key`: the server's VAPID key in base64url. `simulator`: where the local simulator gives
   * out subscriptions instead of the browser; null with real push services.
   */
  push: z.object({ public_key: z.string(), simulator: z.string().nullable() }).nullable(),
  /** Third parties, if the operator configured them (P7.2). */
  chat: z.object({ base_url: z.string(), website_token: z.string() }).nullable(),
  error_reporting: z.object({ dsn: z.string() }).nullable(),
  analytics: z.object({ url: z.string(), domain: z.string() }).nullable(),
});
export type DashboardConfig = z.infer<typeof dashboardConfig>;
