import type { Definition } from '@porchlight/definitions/format.ts';
import { canonicalHost } from '@porchlight/definitions/sites/host.ts';
import { isSharedHost, registrableDomain } from '@porchlight/definitions/sites/public-suffix.ts';
import { exceptionFor, findListed, findSite, type SiteRules } from '@porchlight/definitions/sites/rules.ts';
import type { SiteList } from '@porchlight/definitions/sites/site-list.ts';
import { isProbe } from './portal.ts';
import type { SiteRulesInForce } from './protocol.ts';

/** What is done about a name. `site` is all that anyone is ever told of it: what one owner has, not what was visited there. */
export type Verdict = { action: 'pass' } | { action: 'block' | 'alert'; site: string; definition: Definition | null } | { action: 'no_such_name' };

export interface Sources {
  /** Null while nothing is to be blocked: no policy yet, or a pause. */
  rules: SiteRulesInForce | null;
  sites: SiteRules;
  list: SiteList | null;
}

/** Browsers that ask their own servers for names, past everyone, do so only where this name is one (Mozilla's canary domain). */
const canary = 'use-application-dns.net';

const pass: Verdict = { action: 'pass' };

/** Pure. `name` as it stands in a query, in lower case; `now` in milliseconds. */
export function judge(name: string, { rules, sites, list }: Sources, now: number): Verdict {
  if (!rules || name === '' || isProbe(name)) return pass;
  if (name === canary) return { action: 'no_such_name' };
  const host = hostIn(name);
  if (host === null || exceptionFor(host, allowedBy(rules, 'domain', now)) !== null) return pass;
  const found = findSite(host, sites);
  if (found) {
    const { definition, why } = found;
    const action = allowedBy(rules, 'definition', now).has(definition.identifier) ? 'ignore' : rules.actions[definition.category];
    if (action !== 'ignore') return { action, site: siteOf(why.startsWith('domain=') ? why.slice(7) : host), definition };
    // What the policy lets be is not stopped because some list has it too.
    return pass;
  }
  const listed = rules.actions.ScamWebsite !== 'ignore' && list ? findListed(host, list) : null;
  if (listed === null || rules.actions.ScamWebsite === 'ignore') return pass;
  return { action: rules.actions.ScamWebsite, site: siteOf(listed), definition: null };
}

/** A label that no host has may stand before one (`*`, `!`): what lies below a blocked name is blocked, however it is written. */
function hostIn(name: string): string | null {
  for (let rest = name; rest !== ''; rest = rest.slice(rest.indexOf('.') + 1)) {
    const read = canonicalHost(rest);
    if ('host' in read) return read.kind === 'name' ? read.host : null;
    if (!rest.includes('.')) return null;
  }
  return null;
}

function allowedBy({ allow }: SiteRulesInForce, wanted: 'domain' | 'definition', now: number): Set<string> {
  const holds = allow.filter(({ type, until }) => type === wanted && (until === null || Date.parse(until) > now));
  return new Set(holds.map(({ identifier }) => identifier));
}

/** What one owner has; below a host that many share, the name itself. */
function siteOf(name: string): string {
  const own = registrableDomain(name);
  return own === null || isSharedHost(own) ? name : own;
}
