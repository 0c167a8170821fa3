import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { policyAction, time } from './shapes.ts';
import { readWebsite } from './websites.ts';

/**
 * What happens to a program that came from the internet and never ran on this computer (P12.3).
 * - `count`: it runs, and is counted. - `incident`: it waits for a yes while an incident is open. - `always`: it waits at all times.
 */
export const newPrograms = z.enum(['count', 'incident', 'always']);
export type NewPrograms = z.infer<typeof newPrograms>;

const website = z.string().refine((typed) => readWebsite(typed) === typed);
const websites = z
  .array(website)
  .max(limits.money_sites_max)
  .refine((sites) => new Set(sites).size === sites.length);

/** What a family chooses against threats that are on no list, on all its computers (P12.3 to P12.6). */
export const unlistedProtection = z.object({
  /** A pasted command that fetches and runs something waits for a yes (P12.4). */
  pasted_commands: z.boolean(),
  new_programs: newPrograms,
  /** Remote Desktop and the like that was switched on, a new administrator, a changed hosts file: reported, and closed where that is safe (P12.5). */
  doors: z.boolean(),
  /** Bank and other money sites get no address while remote control is live or an incident is not answered (P12.6). */
  money_pages: z.boolean(),
  /** Further sites that rest, such as the bank of the family, in the form of `readWebsite`. */
  money_sites: websites,
  /** Sites that never rest. */
  money_open: websites,
});
export type UnlistedProtection = z.infer<typeof unlistedProtection>;

export const unlistedDefaults: UnlistedProtection = {
  pasted_commands: true,
  new_programs: 'incident',
  doors: true,
  money_pages: true,
  money_sites: [],
  money_open: [],
};

/** The part of a device's signed policy about threats that are on no list. */
export const unlistedPolicy = z.object({
  /** `block`: waits for a yes. `alert`: is reported. */
  pasted_commands: policyAction,
  new_programs: newPrograms,
  /** `block`: closed where that is safe, and reported. `alert`: reported. */
  doors: policyAction,
  /** Null: money sites always get their address. */
  money: z
    .object({
      /** An incident is open at this device, and nobody who may has answered it. */
      unanswered: z.boolean(),
      sites: z.array(z.string()),
      open: z.array(z.string()),
    })
    .nullable(),
  /** Whether a press at the computer opens a site that is paused for its name. `ask`: it waits for a yes (P16.2). */
  paused_sites: z.enum(['press', 'ask']),
  /** Sites that were registered within 14 days, and were not opened at the computer before, are paused too (P16.3). */
  young_sites: z.boolean(),
  /** What guardians answered about starts and sites that waited. A no counts until its end as well. */
  answers: z.array(z.object({ identifier: z.string(), answer: z.enum(['yes', 'no']), until: time })),
});
export type UnlistedPolicy = z.infer<typeof unlistedPolicy>;

/** Nothing of it is in force, as with the free plan. */
export const noUnlistedPolicy: UnlistedPolicy = {
  pasted_commands: 'ignore',
  new_programs: 'count',
  doors: 'ignore',
  money: null,
  paused_sites: 'press',
  young_sites: false,
  answers: [],
};

/** The identifier of the request about money sites, which a yes opens for an hour (P12.6). */
export const money_pages_identifier = 'money-pages';

const paused_prefix = 'paused:';
/** The identifier of the request about a paused site, which a yes opens for an hour (P16.2). */
export const pausedSiteIdentifier = (site: string): string => `${paused_prefix}${site}`;
/** The site of such an identifier; null for any other. */
export const pausedSiteOf = (identifier: string): string | null =>
  identifier.startsWith(paused_prefix) ? identifier.slice(paused_prefix.length) : null;

/** In the `why` of a paused site in place of the brand that it only looks like: it was registered within 14 days (P16.3). */
export const young_site = 'young';
/** The brand that a paused site only looks like; null when the site was just registered. */
export const brandOf = ([brand]: readonly string[]): string | null => (brand === undefined || brand === young_site ? null : brand);

export const unlistedProtectionEndpoints = endpoints({
  'GET /web/unlisted-protection': {
    summary: 'What is done about pasted commands, new programs, opened doors and money pages (P12.3 to P12.6)',
    access: 'account',
    answer: unlistedProtection,
    errors: [],
  },
  'PATCH /web/unlisted-protection': {
    summary: 'Change some of it; the computers hear of it at once',
    access: 'account',
    body: unlistedProtection.partial(),
    answer: unlistedProtection,
    errors: ['site_needed', 'held', 'hold_limit'],
  },
});
