import { forbiddenNames } from './check-lists.ts';
import { fold, foldMaker, foldName, foldOriginal } from './fold.ts';
import { foldPath } from './fold-path.ts';
import type { Definition, DefinitionSet } from './format.ts';
import { compileSites, type SiteRules } from './sites/rules.ts';

/** The fields of a program by which a family is known. `names`, `generic_names` and `paths` are keyed by system as well. */
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
  | 'sha256'
  | 'paths';

/** The fields of a sibling that shares the vendor. */
export type SiblingField = 'names' | 'original_names' | 'products' | 'bundle_ids';

/** A folded value and the families that have it: several may, for a product name or a company. */
export type MarkIndex = Map<string, Definition[]>;

export interface CompiledSet {
  version: number;
  marks: Record<MarkField, MarkIndex>;
  /** The families that a sibling's fact rules out. */
  siblings: Record<SiblingField, MarkIndex>;
  /** Original file names that tell one family from everything else by themselves, with that family. */
  distinctive_originals: Map<string, Definition>;
  /** Folded service name, keyed by system, to the family that it belongs to. */
  services: Map<string, Definition>;
  /** Identifiers of what comes with an operating system. */
  parts_of_system: Set<string>;
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

/** Renaming a file leaves its original name as it was, so a distinctive one is worth as much as a distinctive file name. */
function distinctiveOriginals(definitions: Definition[]): Map<string, Definition> {
  const generic = new Set(definitions.flatMap(({ programs }) => programs.generic_names.map(({ name }) => foldName(name))));
  const owners = indexBy(definitions, ({ programs }) => [
    ...programs.original_names.map(foldOriginal),
    ...programs.names.filter(({ os }) => os === 'windows').map(({ name }) => foldName(name)),
  ]);
  const found = new Map<string, Definition>();
  for (const [key, [owner, another]] of owners) {
    if (owner && !another && key.length >= 4 && !generic.has(key) && !forbiddenNames.has(key)) found.set(key, owner);
  }
  return found;
}

/** Prepares a set for looking up. Done once per set: a look-up afterwards costs the same however large the set is. */
export function compileSet(set: DefinitionSet): CompiledSet {
  const all = set.definitions;
  return {
    version: set.version,
    marks: {
      names: indexBy(all, ({ programs }) => programs.names.map(({ os, name }) => nameKey(os, name))),
      generic_names: indexBy(all, ({ programs }) => programs.generic_names.map(({ os, name }) => nameKey(os, name))),
      original_names: indexBy(all, ({ programs }) => programs.original_names.map(foldOriginal)),
      products: indexBy(all, ({ programs }) => programs.products.map(fold)),
      companies: indexBy(all, ({ programs }) => programs.companies.map(foldMaker)),
      signers: indexBy(all, ({ programs }) => programs.signers.map(foldMaker)),
      broad_signers: indexBy(all, ({ programs }) => programs.broad_signers.map(foldMaker)),
      team_ids: indexBy(all, ({ programs }) => programs.team_ids.map(fold)),
      bundle_ids: indexBy(all, ({ programs }) => programs.bundle_ids.map(fold)),
      sha256: indexBy(all, ({ programs }) => programs.sha256.map(fold)),
      paths: indexBy(all, ({ programs }) => programs.paths.map(({ os, path }) => pathKey(os, foldPath(path)))),
    },
    siblings: {
      names: indexBy(all, ({ not }) => (not.names ?? []).map(({ os, name }) => nameKey(os, name))),
      original_names: indexBy(all, ({ not }) => (not.original_names ?? []).map(foldOriginal)),
      products: indexBy(all, ({ not }) => (not.products ?? []).map(fold)),
      bundle_ids: indexBy(all, ({ not }) => (not.bundle_ids ?? []).map(fold)),
    },
    distinctive_originals: distinctiveOriginals(all),
    services: new Map(all.flatMap((definition) => definition.services.map(({ os, name }) => [serviceKey(os, name), definition]))),
    parts_of_system: new Set(all.filter(({ part_of_system }) => part_of_system).map(({ identifier }) => identifier)),
    sites: compileSites(all),
  };
}

/** A name counts only on the system that it is known from. */
export function nameKey(os: string, name: string): string {
  const folded = foldName(name);
  return folded === '' ? '' : `${os}/${folded}`;
}

/** The same of a folder, which is folded already. */
export function pathKey(os: string, folder: string): string {
  return folder === '' ? '' : `${os}/${folder}`;
}

/** And of a service; systemd shows its names with and without the ending. */
export function serviceKey(os: string, name: string): string {
  return `${os}/${fold(name).replace(/\.service$/, '')}`;
}
