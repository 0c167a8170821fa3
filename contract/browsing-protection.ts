import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { resolverChoice } from './protective-resolvers.ts';
import { readOrigin } from './websites.ts';

const origins = z
  .array(z.string().refine((typed) => readOrigin(typed) === typed))
  .max(limits.notification_origins_max)
  .refine((list) => new Set(list).size === list.length);

/** What a family chooses for the web browsers and the website names of all its computers (P12.1, P12.2, P15.5). */
export const browsingProtection = z.object({
  /** Whether agents set the browsers' own policies, on computers with the Strict profile. */
  browsers: z.boolean(),
  resolver: resolverChoice,
  /** Further websites that may send notifications where browsers are protected, as exact origins (P15.5). */
  notification_origins: origins,
  /** Whether somebody has chosen who looks up names: it is asked once, when a device is added (P16.6). */
  resolver_chosen: z.boolean(),
});
export type BrowsingProtection = z.infer<typeof browsingProtection>;

export const browsingProtectionEndpoints = endpoints({
  'GET /web/browsing-protection': {
    summary: 'Whether web browsers are protected, which websites may send notifications, and who looks up the names of websites',
    access: 'account',
    answer: browsingProtection,
    errors: [],
  },
  'PATCH /web/browsing-protection': {
    summary: 'Change some of it; the computers hear of it at once',
    access: 'account',
    body: browsingProtection.omit({ resolver_chosen: true }).partial(),
    answer: browsingProtection,
    errors: ['held', 'hold_limit'],
  },
});
