import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { canonicalHost } from '@porchlight/definitions/sites/host.ts';
import { isSharedHost, registrableDomain } from '@porchlight/definitions/sites/public-suffix.ts';
import { exceptionFor, findListed, findSite, type SiteRules } from '@porchlight/definitions/sites/rules.ts';
import type { SiteList } from '@porchlight/definitions/sites/site-list.ts';
import { isPortalProbe } from './captive-portal.ts';

/** What is done about a name. `listed` is the name that decides: the one that was asked for, or one above it. */
export type Verdict =
  | { action: 'pass' }
  | { action: 'no_such_name' }
  | { action: 'block' | 'alert'; listed: string; definition: Definition | null };

/** A verdict that somebody is told of. */
export type Stopped = Extract<Verdict, { listed: string }>;

/** What is in force at one moment. */
export interface Sources {
  /** Null while nothing is to be blocked: no policy yet, or a pause. */
  actions: DevicePolicy['actions'] | null;
  /** The person's own exceptions that hold now: websites, and identifiers of families. */
  websites: ReadonlySet<string>;
  families: ReadonlySet<string>;
  sites: SiteRules;
  list: SiteList | null;
}

/** Browsers that ask their own servers for names, past everyone, do so only where this name is one (Mozilla's canary domain). */
const canary = 'use-application-dns.net';

export const pass: Verdict = { action: 'pass' };

/** Pure. `name` as it stands in a query, in lower case. */
export function verdictFor(name: string, { actions, websites, families, sites, list }: Sources): Verdict {
  if (!actions || name === '' || isPortalProbe(name)) return pass;
  if (name === canary) return { action: 'no_such_name' };
  const host = hostIn(name);
  if (host === null || (websites.size > 0 && exceptionFor(host, websites) !== null)) return pass;
  const found = findSite(host, sites);
  if (found) {
    const { definition, why } = found;
    const action = families.has(definition.identifier) ? 'ignore' : actions[definition.category];
    // What the policy lets be is not stopped because some list has it too.
    return action === 'ignore' ? pass : { action, listed: why.startsWith('domain=') ? why.slice(7) : host, definition };
  }
  if (!list || actions.ScamWebsite === 'ignore') return pass;
  const listed = findListed(host, list);
  return listed === null ? pass : { action: actions.ScamWebsite, listed, definition: null };
}

/**
 * A label that no host has may stand before one (`*`, `a/b`): what lies below a blocked name is blocked, however it is written. It goes before
 * the rest is read as people write hosts, where a slash or a colon ends one.
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

/** All that anyone is told of a site: what one owner has, and not what was visited there. Below a host that many share, the name itself. */
export function siteOf({ listed }: Stopped): string {
  const own = registrableDomain(listed);
  return own === null || isSharedHost(own) ? listed : own;
}
