import { fold, foldName } from './fold.ts';
import type { Definition, DefinitionSet } from './format.ts';
import { compileSites, type SiteRules } from './sites/rules.ts';

/** The fields of a program by which a family is known. `names` and `generic_names` are keyed by system as well. */
export type MarkField =
  | 'names'
  | 'generic_names'
  | 'original_names'
  | 'products'
  | 'companies'
  | 'signers'
  | 'broad_signers'
  | 'team_ids'
  | 'bundle_ids'
  | 'sha256';

/** A folded value and the families that have it: several may, for a product name or a company. */
export type MarkIndex = Map<string, Definition[]>;

export interface CompiledSet {
  version: number;
  marks: Record<MarkField, MarkIndex>;
  sites: SiteRules;
}

function indexBy(definitions: Definition[], keysOf: (definition: Definition) => string[]): MarkIndex {
  const index: MarkIndex = new Map();
  for (const definition of definitions) {
    for (const key of new Set(keysOf(definition))) {
      const known = index.get(key);
      if (known) known.push(definition);
      else if (key !== '') index.set(key, [definition]);
    }
  }
  return index;
}

/** Prepares a set for looking up. Done once per set: a look-up afterwards costs the same however large the set is. */
export function compileSet(set: DefinitionSet): CompiledSet {
  const all = set.definitions;
  return {
    version: set.version,
    marks: {
      names: indexBy(all, ({ programs }) => programs.names.map(({ os, name }) => nameKey(os, name))),
      generic_names: indexBy(all, ({ programs }) => programs.generic_names.map(({ os, name }) => nameKey(os, name))),
      original_names: indexBy(all, ({ programs }) => programs.original_names.map(foldName)),
      products: indexBy(all, ({ programs }) => programs.products.map(fold)),
      companies: indexBy(all, ({ programs }) => programs.companies.map(fold)),
      signers: indexBy(all, ({ programs }) => programs.signers.map(fold)),
      broad_signers: indexBy(all, ({ programs }) => programs.broad_signers.map(fold)),
      team_ids: indexBy(all, ({ programs }) => programs.team_ids.map(fold)),
      bundle_ids: indexBy(all, ({ programs }) => programs.bundle_ids.map(fold)),
      sha256: indexBy(all, ({ programs }) => programs.sha256.map(fold)),
    },
    sites: compileSites(all),
  };
}

/** A name counts only on the system that it is known from. */
export function nameKey(os: string, name: string): string {
  const folded = foldName(name);
  return folded === '' ? '' : `${os}/${folded}`;
}
