import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { canonicalHost } from '@porchlight/definitions/sites/host.ts';
import { isSharedHost, registrableDomain } from '@porchlight/definitions/sites/public-suffix.ts';
import { exceptionFor, findListed, findSite, type SiteRules } from '@porchlight/definitions/sites/rules.ts';
import type { SiteList } from '@porchlight/definitions/sites/site-list.ts';
import { isPortalProbe } from './captive-portal.ts';

/** What is done about a name. `listed`: the name that decides, the one asked for or a parent. */
export type Verdict =
  | { action: 'pass' }
  | { action: 'no_such_name' }
  | { action: 'block' | 'alert'; listed: string; definition: Definition | null };

/** A verdict that is reported. */
export type Stopped = Extract<Verdict, { listed: string }>;

export interface Sources {
  /** Null while nothing is blocked: no policy yet, or a pause. */
  actions: DevicePolicy['actions'] | null;
  /** The allow list in force: websites, and identifiers of definitions. */
  websites: ReadonlySet<string>;
  families: ReadonlySet<string>;
  sites: SiteRules;
  list: SiteList | null;
}

/** Browsers with a DNS server of their own use it only if this name exists (Mozilla's canary domain). */
const canary = 'use-application-dns.net';

export const pass: Verdict = { action: 'pass' };

/** Pure. `name`: as in the query, in lower case. */
export function verdictFor(name: string, { actions, websites, families, sites, list }: Sources): Verdict {
  if (!actions || name === '' || isPortalProbe(name)) return pass;
  if (name === canary) return { action: 'no_such_name' };
  const host = hostIn(name);
  if (host === null || (websites.size > 0 && exceptionFor(host, websites) !== null)) return pass;
  const found = findSite(host, sites);
  if (found) {
    const { definition, why } = found;
    const action = families.has(definition.identifier) ? 'ignore' : actions[definition.category];
    // What the policy lets pass is not blocked by another list.
    return action === 'ignore' ? pass : { action, listed: why.startsWith('domain=') ? why.slice(7) : host, definition };
  }
  if (!list || actions.ScamWebsite === 'ignore') return pass;
  const listed = findListed(host, list);
  return listed === null ? pass : { action: actions.ScamWebsite, listed, definition: null };
}

/**
 * A label that no host has may stand in front (`*`, `a/b`): below a blocked name everything is blocked. It is removed before the rest is read as a
 * host, where a slash or a colon would end it.
 */
function hostIn(name: string): string | null {
  const own = /[a-z0-9_.-]*$/.exec(name)?.[0] ?? '';
  for (let rest = own === name ? name : own.replace(/^[^.]*\.?/, ''); rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
    const read = canonicalHost(rest);
    if ('host' in read) return read.kind === 'name' ? read.host : null;
    if (!rest.includes('.')) return null;
  }
  return null;
}

/** What is reported of a site: its registrable domain, and not what was visited. Below a shared host, the name itself. */
export function siteOf({ listed }: Stopped): string {
  const own = registrableDomain(listed);
  return own === null || isSharedHost(own) ? listed : own;
}
