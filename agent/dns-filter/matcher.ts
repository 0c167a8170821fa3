import { compileMoneySites, listMoney } from '@porchlight/definitions/money/money-sites.ts';
import { compileNames } from '@porchlight/definitions/names/compile.ts';
import { nearestParent } from '@porchlight/definitions/sites/parent-domains.ts';
import { registrableDomain } from '@porchlight/definitions/sites/public-suffix.ts';
import { compileSites } from '@porchlight/definitions/sites/rules.ts';
import { readSiteList } from '@porchlight/definitions/sites/site-list.ts';
import type { OpenedSites } from './opened-sites.ts';
import type { SiteDefinitions, SiteRulesInForce } from './protocol.ts';
import { pass, type Sources, type Verdict, verdictFor } from './verdict.ts';

export interface SiteMatcher {
  /** `of`: the name that was asked for, of which `name` is an alias. */
  (name: string, of?: string): Verdict;
  useRules(rules: SiteRulesInForce | null): void;
  /** Returns the number of names in the site list. Throws when the list is refused; then nothing has changed. */
  useDefinitions(definitions: SiteDefinitions, sites: Uint8Array | null): number;
}

/** The number of cached names. Only names that pass are cached, because blocked names are rare. */
const maxPassing = 2000;

/** `now`: wall clock in milliseconds, by which allow-list entries expire. */
export function siteMatcher(now: () => number, openedBefore: Pick<OpenedSites, 'has' | 'note'>): SiteMatcher {
  let rules: SiteRulesInForce | null = null;
  let listed = listMoney([]);
  let sources: Sources = {
    ...{ actions: null, allowedSites: new Set(), allowedDefinitions: new Set() },
    ...{ sites: compileSites([], listed.neverBlock), list: null, money: null, names: null, opened: null, openedBefore: null },
  };
  const passingNames = new Map<string, Verdict>();
  /** Cached verdicts are valid between these times: until the next allow-list entry expires, and not after the clock is set back. */
  let [from, until] = [0, 0];
  const rescan = (currentTime: number) => {
    passingNames.clear();
    const activeEntries = (rules?.allow ?? []).filter(({ until: end }) => end === null || Date.parse(end) > currentTime);
    const allowedIdentifiers = (entryType: 'domain' | 'definition') =>
      new Set(activeEntries.flatMap(({ type, identifier }) => (type === entryType ? identifier : [])));
    sources = {
      ...sources,
      actions: rules?.actions ?? null,
      allowedSites: allowedIdentifiers('domain'),
      allowedDefinitions: allowedIdentifiers('definition'),
    };
    from = currentTime;
    until = Math.min(...activeEntries.flatMap(({ until: end }) => (end === null ? [] : Date.parse(end))), Number.MAX_SAFE_INTEGER);
  };
  /** Compiled once for each change: the lists are long, and rest for half an hour at least. */
  const restingSites = () => {
    const money = rules?.money;
    return money ? compileMoneySites({ listed, own: money.sites, exceptions: money.open }) : null;
  };
  /** A brand's own site may be served under names that look like a trick, such as `www.brand.com.cdn.example`. */
  const isTheirs = (name: string) => nearestParent(name, (parent) => (sources.names?.theirs.has(parent) ? true : undefined)) === true;
  const noteOpened = (name: string) => {
    const site = registrableDomain(name);
    if (site !== null) openedBefore.note(site);
  };
  return Object.assign(
    (name: string, of?: string): Verdict => {
      const currentTime = now();
      if (currentTime >= until || currentTime < from) rescan(currentTime);
      const passing = passingNames.get(name);
      if (passing) return passing;
      const verdict = verdictFor(name, sources);
      if (verdict.action === 'pause' && of !== undefined && isTheirs(of)) return pass;
      if (verdict.action === 'pass') {
        if (sources.openedBefore) noteOpened(name);
        if (passingNames.size >= maxPassing) passingNames.clear();
        passingNames.set(name, verdict);
      }
      return verdict;
    },
    {
      useRules(newRules: SiteRulesInForce | null) {
        rules = newRules;
        sources = {
          ...sources,
          money: restingSites(),
          opened: rules?.paused ? new Set(rules.paused.opened) : null,
          openedBefore: rules?.paused?.young ? openedBefore : null,
        };
        until = 0;
      },
      useDefinitions({ definitions, money, names }: SiteDefinitions, bytes: Uint8Array | null) {
        const list = bytes && readSiteList(bytes);
        listed = listMoney(money);
        sources = {
          ...{ ...sources, sites: compileSites(definitions, listed.neverBlock), list, money: restingSites() },
          names: compileNames(names, money),
        };
        until = 0;
        return list?.size ?? 0;
      },
    },
  );
}
