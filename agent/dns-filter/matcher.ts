import type { Definition } from '@porchlight/definitions/format.ts';
import { compileSites } from '@porchlight/definitions/sites/rules.ts';
import { readSiteList } from '@porchlight/definitions/sites/site-list.ts';
import type { SiteRulesInForce } from './protocol.ts';
import { pass, type Sources, type Verdict, verdictFor } from './verdict.ts';

export interface SiteMatcher {
  (name: string): Verdict;
  useRules(rules: SiteRulesInForce | null): void;
  /** Throws what is wrong with the list, and nothing has changed then. Answers how many names the list has. */
  useDefinitions(definitions: Definition[], sites: Uint8Array | null): number;
}

/** Names that are remembered to pass: a computer asks for the same few hundred all day. What is stopped is rare, and judged each time. */
const remembered = 2000;

/** What is in force, and what it says of a name. `now`: milliseconds of the computer's clock, because exceptions end by it. */
export function siteMatcher(now: () => number): SiteMatcher {
  let rules: SiteRulesInForce | null = null;
  let sources: Sources = { actions: null, websites: new Set(), families: new Set(), sites: compileSites([]), list: null };
  const passing = new Set<string>();
  /** Verdicts hold from one moment to another: until the next exception ends, and not before the clock that they were made by. */
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
