import { fold, foldMaker, foldName, foldOriginal } from './fold.ts';
import { foldersOf } from './fold-path.ts';
import type { Definition, ProgramSeen } from './format.ts';
import { type CompiledSet, type MarkField, nameKey, pathKey, type SiblingField } from './index-marks.ts';
import { nameVariants } from './name-variants.ts';
import { signerNames, teamOf } from './signer-names.ts';

/** What speaks for one family, and what says that the program is a sibling's: the fields, each with the value that was seen. */
export interface Agreed {
  marks: Map<MarkField, string>;
  sibling: Set<SiblingField>;
}

/** All families that anything speaks for. Every step is a look-up of a whole value: nothing is searched. */
export function agreements(seen: ProgramSeen, set: CompiledSet): Map<Definition, Agreed> {
  const found = new Map<Definition, Agreed>();
  const agreedOf = (definition: Definition): Agreed => {
    const agreed = found.get(definition) ?? { marks: new Map(), sibling: new Set() };
    found.set(definition, agreed);
    return agreed;
  };
  const look = (field: MarkField, key: string, value: string) => {
    for (const definition of (key && set.marks[field].get(key)) || []) {
      const { marks } = agreedOf(definition);
      if (!marks.has(field)) marks.set(field, value);
    }
  };
  const lookFolded = (field: MarkField, value: string | undefined) => look(field, fold(value ?? ''), fold(value ?? ''));

  const { os } = seen;
  const name = seen.name.slice(Math.max(seen.name.lastIndexOf('/'), seen.name.lastIndexOf('\\')) + 1);
  for (const variant of nameVariants(name)) look('names', nameKey(os, variant), fold(name));
  look('generic_names', nameKey(os, name), fold(name));
  look('original_names', foldOriginal(seen.original_name ?? ''), fold(seen.original_name ?? ''));
  lookFolded('products', seen.product);
  look('companies', foldMaker(seen.company ?? ''), fold(seen.company ?? ''));
  for (const signer of seen.signer ? signerNames(seen.signer) : []) {
    look('signers', foldMaker(signer), fold(signer));
    look('broad_signers', foldMaker(signer), fold(signer));
  }
  lookFolded('team_ids', teamOf(seen));
  lookFolded('bundle_ids', seen.bundle_id);
  lookFolded('sha256', seen.sha256);
  for (const folder of seen.path ? foldersOf(seen.path) : []) look('paths', pathKey(os, folder), folder);
  // The family may know this name only as a file name: an original name that is one is the same mark, and outlives renaming.
  const original = foldOriginal(seen.original_name ?? '');
  const known = original && set.distinctive_originals.get(original);
  if (known && !found.get(known)?.marks.has('original_names')) agreedOf(known).marks.set('original_names', fold(seen.original_name ?? ''));
  noteSiblings(seen, set, found);
  return found;
}

function noteSiblings(seen: ProgramSeen, { siblings }: CompiledSet, found: Map<Definition, Agreed>) {
  const note = (field: SiblingField, key: string) => {
    for (const definition of (key && siblings[field].get(key)) || []) found.get(definition)?.sibling.add(field);
  };
  note('names', nameKey(seen.os, foldName(seen.name)));
  note('original_names', foldOriginal(seen.original_name ?? ''));
  note('products', fold(seen.product ?? ''));
  note('bundle_ids', fold(seen.bundle_id ?? ''));
}
