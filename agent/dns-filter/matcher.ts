import type { Definition } from '@porchlight/definitions/format.ts';
import { compileSites } from '@porchlight/definitions/sites/rules.ts';
import { readSiteList } from '@porchlight/definitions/sites/site-list.ts';
import type { SiteRulesInForce } from './protocol.ts';
import { pass, type Sources, type Verdict, verdictFor } from './verdict.ts';

export interface SiteMatcher {
  (name: string): Verdict;
  useRules(rules: SiteRulesInForce | null): void;
  /** Throws why the list is refused; then nothing has changed. Answers the length of the list. */
  useDefinitions(definitions: Definition[], sites: Uint8Array | null): number;
}

/** Passing names are remembered: a computer asks for the same few hundred all day. Blocked ones are rare, and matched each time. */
const remembered = 2000;

/** The rules in force, and their verdict on a name. `now`: milliseconds of the computer's clock, by which allow-list entries end. */
export function siteMatcher(now: () => number): SiteMatcher {
  let rules: SiteRulesInForce | null = null;
  let sources: Sources = { actions: null, websites: new Set(), families: new Set(), sites: compileSites([]), list: null };
  const passing = new Set<string>();
  /** Verdicts hold until the next allow-list entry ends, and not before the clock that they were made by. */
  let [from, until] = [0, 0];
  const rescan = (at: number) => {
    passing.clear();
    const holds = (rules?.allow ?? []).filter(({ until: end }) => end === null || Date.parse(end) > at);
    const allowed = (wanted: 'domain' | 'definition') =>
      new Set(holds.flatMap(({ type, identifier }) => (type === wanted ? identifier : [])));
    sources = { ...sources, actions: rules?.actions ?? null, websites: allowed('domain'), families: allowed('definition') };
    from = at;
    until = Math.min(...holds.flatMap(({ until: end }) => (end === null ? [] : Date.parse(end))), Number.MAX_SAFE_INTEGER);
  };
  return Object.assign(
    (name: string): Verdict => {
      const at = now();
      if (at >= until || at < from) rescan(at);
      if (passing.has(name)) return pass;
      const verdict = verdictFor(name, sources);
      if (verdict.action === 'pass') {
        if (passing.size >= remembered) passing.clear();
        passing.add(name);
      }
      return verdict;
    },
    {
      useRules(next: SiteRulesInForce | null) {
        rules = next;
        until = 0;
      },
      useDefinitions(definitions: Definition[], bytes: Uint8Array | null) {
        const list = bytes && readSiteList(bytes);
        sources = { ...sources, sites: compileSites(definitions), list };
        until = 0;
        return list?.size ?? 0;
      },
    },
  );
}
