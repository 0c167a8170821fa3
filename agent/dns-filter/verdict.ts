import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import type { MoneyKind } from '@porchlight/definitions/money/format.ts';
import type { MoneySites } from '@porchlight/definitions/money/money-sites.ts';
import type { CompiledNames } from '@porchlight/definitions/names/compile.ts';
import { trickIn } from '@porchlight/definitions/names/trick.ts';
import { canonicalHost } from '@porchlight/definitions/sites/host.ts';
import { isSharedHost, registrableDomain } from '@porchlight/definitions/sites/public-suffix.ts';
import { exceptionFor, findListed, findSite, type SiteRules } from '@porchlight/definitions/sites/rules.ts';
import type { SiteList } from '@porchlight/definitions/sites/site-list.ts';
import { youngEntry } from '@porchlight/definitions/sites/young.ts';
import { isCanary } from '../lib/canary.ts';
import { isPortalProbe } from './captive-portal.ts';
import type { OpenedSites } from './opened-sites.ts';

/**
 * `allowed`: whatever the name is an alias of passes too. `listed`: the name in the list, which may be a parent of the queried name. `money`: it
 * only rests (P12.6). `imitates`: the brand of a paused name, which is on no list (P16.2); null for a site
 * that was just registered (P16.3).
 */
export type Verdict =
  | { action: 'pass'; allowed?: true }
  | { action: 'no_such_name' | 'canary' }
  | { action: 'block' | 'alert'; listed: string; definition: Definition | null; money?: MoneyKind; imitates?: never }
  | { action: 'pause'; listed: string; definition: null; money?: never; imitates: string | null };

export type Stopped = Extract<Verdict, { listed: string }>;

export const getsNoAddress = (verdict: Verdict): verdict is Stopped => verdict.action === 'block' || verdict.action === 'pause';

export interface Sources {
  /** Null when nothing is blocked: there is no policy yet, or protection is paused. */
  actions: DevicePolicy['actions'] | null;
  /** The allow list: websites here, identifiers of definitions below. */
  allowedSites: ReadonlySet<string>;
  allowedDefinitions: ReadonlySet<string>;
  sites: SiteRules;
  list: SiteList | null;
  /** Null while money sites do not rest. */
  money: MoneySites | null;
  names: CompiledNames | null;
  /** The paused sites that are open for an hour, as `siteOf` names them; null while none is paused. */
  opened: ReadonlySet<string> | null;
  /** Null where young sites are not paused. */
  openedBefore: Pick<OpenedSites, 'has'> | null;
}

/**
 * While these do not resolve, names are looked up by the system's settings: Mozilla's canary domain stops browsers from using a DNS server of
 * their own, and the other two are those by which Apple lets a network that filters switch iCloud Private Relay off.
 */
const relayNames = new Set(['use-application-dns.net', 'mask.icloud.com', 'mask-h2.icloud.com']);

export const pass: Verdict = { action: 'pass' };
const allowed: Verdict = { action: 'pass', allowed: true };

export function verdictFor(name: string, sources: Sources): Verdict {
  const { actions, allowedSites, allowedDefinitions, sites, list, money } = sources;
  if (isCanary(name)) return { action: 'canary' };
  if (!actions || name === '') return pass;
  if (isPortalProbe(name)) return allowed;
  if (relayNames.has(name)) return { action: 'no_such_name' };
  const host = hostIn(name);
  if (host === null) return pass;
  if (allowedSites.size > 0 && exceptionFor(host, allowedSites) !== null) return allowed;
  const kind = money?.kindOf(host);
  if (kind) return { action: 'block', listed: host, definition: null, money: kind };
  const match = findSite(host, sites);
  if (match) {
    const { definition, why } = match;
    if (allowedDefinitions.has(definition.identifier)) return allowed;
    const action = actions[definition.category];
    // A site that the policy ignores is not blocked by the site list either.
    return action === 'ignore' ? pass : { action, listed: why.startsWith('domain=') ? why.slice(7) : host, definition };
  }
  if (actions.ScamWebsite === 'ignore') return pass;
  const listed = list && findListed(host, list, sites.neverBlock);
  if (listed !== null) return { action: actions.ScamWebsite, listed, definition: null };
  return actions.ScamWebsite === 'block' ? verdictByShape(host, sources) : pass;
}

/** Judged last: what opens a paused site opens nothing that a list has. */
function verdictByShape(host: string, { names, opened, list, openedBefore }: Sources): Verdict {
  if (!names || !opened) return pass;
  const trick = trickIn(host, names);
  const paused = { action: 'pause', listed: host, definition: null, imitates: trick?.brand ?? null } as const;
  const site = siteOf(paused);
  const isYoung = () => openedBefore !== null && list !== null && list.has(youngEntry(site)) && !openedBefore.has(site);
  return opened.has(site) || !(trick || isYoung()) ? pass : paused;
}

/**
 * Removes leading labels that are no host names (`*`, `a/b`), because everything below a blocked name is blocked, and `canonicalHost` would
 * stop at a slash or a colon.
 */
function hostIn(name: string): string | null {
  const hostPart = /[a-z0-9_.-]*$/.exec(name)?.[0] ?? '';
  for (
    let candidate = hostPart === name ? name : hostPart.replace(/^[^.]*\.?/, '');
    candidate !== '';
    candidate = candidate.slice(candidate.indexOf('.') + 1)
  ) {
    const parsed = canonicalHost(candidate);
    if ('host' in parsed) return parsed.kind === 'name' ? parsed.host : null;
    if (!candidate.includes('.')) return null;
  }
  return null;
}

/** The site to report: the registrable domain, so that the visited page stays private, or the listed name below a shared host. */
export function siteOf({ listed }: Stopped): string {
  const domain = registrableDomain(listed);
  return domain === null || isSharedHost(domain) ? listed : domain;
}
