import { commonProducts, forbiddenNames, ordinaryProducts } from './check-lists.ts';
import { type CompiledCommands, compileCommands } from './commands/patterns.ts';
import { fold, foldMaker, foldName, foldOriginal } from './fold.ts';
import { foldPath } from './fold-path.ts';
import type { Definition, Os } from './format.ts';
import { hasClient } from './outgoing.ts';
import type { DefinitionSet } from './recognition.ts';
import { neverBlockWith } from './sites/never-block.ts';
import { compileSites, type SiteRules } from './sites/rules.ts';
import type { TunnelTables } from './tunnels.ts';

/** Indexed fields; keys of `names`, `generic_names` and `paths` include the system. */
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
  | 'libraries'
  | 'paths';

export type SiblingField = 'names' | 'original_names' | 'products' | 'bundle_ids';

/** Definitions by folded value; several may share a product name or a company. */
export type MarkIndex = Map<string, Definition[]>;

export interface CompiledSet {
  version: number;
  marks: Record<MarkField, MarkIndex>;
  siblings: Record<SiblingField, MarkIndex>;
  /** Definitions by an original file name that identifies them alone. */
  distinctive_originals: Map<string, Definition>;
  /** Products that identify a definition alone. */
  distinctive_products: MarkIndex;
  /** All libraries in the definitions, relative to the folder of a program. */
  libraries: Record<Os, string[]>;
  services: Map<string, Definition>;
  parts_of_system: Set<string>;
  /** By identifier; of definitions that have viewers or clients. */
  outgoing: Map<string, Definition['outgoing']>;
  sites: SiteRules;
}

/** All that an agent recognises by, but for the list of sites. */
export interface CompiledRecognition extends CompiledSet {
  commands: CompiledCommands;
  tunnels: TunnelTables;
}

/** Shorter products are abbreviations that others use too. */
const MIN_PRODUCT_LENGTH = 5;

function indexBy(definitions: Definition[], keysOf: (definition: Definition) => string[]): MarkIndex {
  const index: MarkIndex = new Map();
  for (const definition of definitions) {
    for (const key of new Set(keysOf(definition))) {
      const sameKey = index.get(key);
      if (sameKey) sameKey.push(definition);
      else if (key !== '') index.set(key, [definition]);
    }
  }
  return index;
}

/** Renaming does not change an original name, so a distinctive one is worth as much as a distinctive file name. */
function distinctiveOriginals(definitions: Definition[]): Map<string, Definition> {
  const generic = new Set(definitions.flatMap(({ programs }) => programs.generic_names.map(({ name }) => foldName(name))));
  const owners = indexBy(definitions, ({ programs }) => [
    ...programs.original_names.map(foldOriginal),
    ...programs.names.filter(({ os }) => os === 'windows').map(({ name }) => foldName(name)),
  ]);
  const originalNames = new Map<string, Definition>();
  for (const [key, [firstOwner, secondOwner]] of owners) {
    if (firstOwner && !secondOwner && key.length >= 4 && !generic.has(key) && !forbiddenNames.has(key)) originalNames.set(key, firstOwner);
  }
  return originalNames;
}

/** Products of a single definition, without ordinary words. */
function distinctiveProducts(definitions: Definition[]): MarkIndex {
  const owners = indexBy(definitions, ({ programs }) => programs.products.map(fold));
  const isDistinctive = (product: string) =>
    product.length >= MIN_PRODUCT_LENGTH && !commonProducts.has(product) && !ordinaryProducts.has(product) && !forbiddenNames.has(product);
  return new Map([...owners].filter(([product, { length }]) => length === 1 && isDistinctive(product)));
}

/** Builds the indexes, once per set; the cost of a match does not depend on the set's size. */
export function compileSet(
  set: Pick<DefinitionSet, 'version' | 'issued' | 'definitions'> & Partial<Pick<DefinitionSet, 'money'>>,
): CompiledSet {
  const definitions = set.definitions;
  const librariesOn = (system: Os) =>
    definitions.flatMap(({ programs }) => programs.libraries.flatMap(({ os, name }) => (os === system ? [name] : [])));
  return {
    version: set.version,
    marks: {
      names: indexBy(definitions, ({ programs }) => programs.names.map(({ os, name }) => nameKey(os, name))),
      generic_names: indexBy(definitions, ({ programs }) => programs.generic_names.map(({ os, name }) => nameKey(os, name))),
      original_names: indexBy(definitions, ({ programs }) => programs.original_names.map(foldOriginal)),
      products: indexBy(definitions, ({ programs }) => programs.products.map(fold)),
      companies: indexBy(definitions, ({ programs }) => programs.companies.map(foldMaker)),
      signers: indexBy(definitions, ({ programs }) => programs.signers.map(foldMaker)),
      broad_signers: indexBy(definitions, ({ programs }) => programs.broad_signers.map(foldMaker)),
      team_ids: indexBy(definitions, ({ programs }) => programs.team_ids.map(fold)),
      bundle_ids: indexBy(definitions, ({ programs }) => programs.bundle_ids.map(fold)),
      sha256: indexBy(definitions, ({ programs }) => programs.sha256.map(fold)),
      libraries: indexBy(definitions, ({ programs }) => programs.libraries.map(({ os, name }) => nameKey(os, name))),
      paths: indexBy(definitions, ({ programs }) => programs.paths.map(({ os, path }) => pathKey(os, foldPath(path)))),
    },
    siblings: {
      names: indexBy(definitions, ({ not }) => (not.names ?? []).map(({ os, name }) => nameKey(os, name))),
      original_names: indexBy(definitions, ({ not }) => (not.original_names ?? []).map(foldOriginal)),
      products: indexBy(definitions, ({ not }) => (not.products ?? []).map(fold)),
      bundle_ids: indexBy(definitions, ({ not }) => (not.bundle_ids ?? []).map(fold)),
    },
    distinctive_originals: distinctiveOriginals(definitions),
    distinctive_products: distinctiveProducts(definitions),
    libraries: { windows: librariesOn('windows'), macos: librariesOn('macos'), linux: librariesOn('linux') },
    services: new Map(definitions.flatMap((definition) => definition.services.map(({ os, name }) => [serviceKey(os, name), definition]))),
    parts_of_system: new Set(definitions.filter(({ part_of_system }) => part_of_system).map(({ identifier }) => identifier)),
    outgoing: new Map(definitions.flatMap(({ identifier, outgoing }) => (hasClient(outgoing) ? [[identifier, outgoing]] : []))),
    sites: compileSites(definitions, neverBlockWith(set.money ?? [])),
  };
}

const compiledSets = new WeakMap<Definition[], { set: DefinitionSet; compiled: CompiledRecognition }>();

/** All of a set, once for what is in it: a set that was only signed again has the same indexes. */
export function compileRecognition(set: DefinitionSet): CompiledRecognition {
  const known = compiledSets.get(set.definitions);
  if (known?.set.commands === set.commands && known.set.money === set.money && known.set.tunnels === set.tunnels) {
    return { ...known.compiled, version: set.version };
  }
  const compiled = { ...compileSet(set), commands: compileCommands(set.commands), tunnels: set.tunnels };
  compiledSets.set(set.definitions, { set, compiled });
  return compiled;
}

export function nameKey(os: string, name: string): string {
  const foldedName = foldName(name);
  return foldedName === '' ? '' : `${os}/${foldedName}`;
}

export function pathKey(os: string, folder: string): string {
  return folder === '' ? '' : `${os}/${folder}`;
}

export function serviceKey(os: string, name: string): string {
  return `${os}/${fold(name).replace(/\.service$/, '')}`;
}
