import { readWebsite } from '@porchlight/contract/websites.ts';
import { type NeverBlock, neverBlockWith } from '../sites/never-block.ts';
import { nearestParent } from '../sites/parent-domains.ts';
import { isSharedHost, whyNeverBlocked } from '../sites/public-suffix.ts';
import { exceptionFor } from '../sites/rules.ts';
import type { MoneyKind, MoneyList } from './format.ts';

export interface MoneySites {
  /**
   * The kind of money site that a canonical host belongs to (`canonicalHost`), or null. Subdomains belong to their domain. Runs for every DNS
   * query while money sites rest: at most one lookup for each label, plus another for each label of a money site if there are exceptions.
   */
  kindOf(host: string): MoneyKind | null;
}

/** The money sites of a set, read once for each set. */
export interface ListedMoney {
  kinds: ReadonlyMap<string, MoneyKind>;
  neverBlock: NeverBlock;
}

/** Leaves out hosts whose subdomains have many owners: no set may close all of them. */
export function listMoney(money: MoneyList): ListedMoney {
  const kinds = money.flatMap(({ kind, domains }) =>
    domains.filter((domain) => !isSharedHost(domain)).map((domain): [string, MoneyKind] => [domain, kind]),
  );
  return { kinds: new Map(kinds), neverBlock: neverBlockWith(money) };
}

/**
 * The listed sites with the bank's sites that the relatives entered themselves (`own`, as they typed them). An exception opens its site and
 * all subdomains, and outranks `own` and the list. Left out of `own` is what is no website, or what too much else depends on.
 */
export function compileMoneySites({
  listed,
  own,
  exceptions,
}: {
  listed: ListedMoney;
  own: readonly string[];
  exceptions: readonly string[];
}): MoneySites {
  const kinds = new Map(listed.kinds);
  const kindOfName = (name: string) => kinds.get(name);
  const ownSites = own.map(readWebsite).filter((site) => site !== null);
  for (const site of ownSites.filter((one) => mayRest(one, listed))) kinds.set(site, 'bank');
  const openSites = new Set(exceptions.map(readWebsite).filter((site) => site !== null));
  return {
    kindOf(host) {
      const kind = nearestParent(host, kindOfName);
      return kind === undefined || (openSites.size > 0 && exceptionFor(host, openSites) !== null) ? null : kind;
    },
  };
}

/**
 * Whether a website (`readWebsite`) may rest. Without this check, a mistyped bank (`google.com`, `github.io`) would take down what a computer
 * needs. A customer of a shared host can rest alone.
 */
export function mayRest(site: string, { kinds, neverBlock }: ListedMoney): boolean {
  if (nearestParent(site, (name) => kinds.get(name)) !== undefined) return true;
  const decision = nearestParent(site, (name) => {
    if (isSharedHost(name)) return name !== site;
    return whyNeverBlocked(name, neverBlock) === null ? undefined : false;
  });
  return decision ?? false;
}
