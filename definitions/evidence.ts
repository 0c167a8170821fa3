import { fold, foldMaker, foldOriginal } from './fold.ts';
import { foldersOf } from './fold-path.ts';
import type { Definition, ProgramSeen } from './format.ts';
import { type CompiledSet, type MarkField, nameKey, pathKey, type SiblingField } from './index-marks.ts';
import { MAX_NAME, nameVariants } from './name-variants.ts';
import { signerNames, teamOf } from './signer-names.ts';

/** Evidence for a definition, and for a sibling product: matching fields and the values seen. */
export interface Evidence {
  marks: Map<MarkField, string>;
  sibling: Set<SiblingField>;
}

/** Collects evidence for each definition. Each step looks up a whole value; nothing is searched. */
export function collectEvidence(seenProgram: ProgramSeen, set: CompiledSet): Map<Definition, Evidence> {
  const evidenceByDefinition = new Map<Definition, Evidence>();
  const evidenceOf = (definition: Definition): Evidence => {
    const evidence = evidenceByDefinition.get(definition) ?? { marks: new Map(), sibling: new Set() };
    evidenceByDefinition.set(definition, evidence);
    return evidence;
  };
  const addMatches = (field: MarkField, key: string, value: string) => {
    for (const definition of (key && set.marks[field].get(key)) || []) {
      const { marks } = evidenceOf(definition);
      if (!marks.has(field)) marks.set(field, value);
    }
  };
  const addFoldedMatches = (field: MarkField, value: string | undefined) => addMatches(field, fold(value ?? ''), fold(value ?? ''));

  const { os } = seenProgram;
  const name = fileNameOf(seenProgram);
  for (const variant of nameVariants(name)) addMatches('names', nameKey(os, variant), fold(name));
  addMatches('generic_names', nameKey(os, name), fold(name));
  for (const originalName of [seenProgram.original_name ?? '', seenProgram.internal_name ?? '']) {
    addMatches('original_names', foldOriginal(originalName), fold(originalName));
  }
  addFoldedMatches('products', seenProgram.product);
  addFoldedMatches('products', seenProgram.description);
  addMatches('companies', foldMaker(seenProgram.company ?? ''), fold(seenProgram.company ?? ''));
  for (const signer of seenProgram.signer ? signerNames(seenProgram.signer) : []) {
    addMatches('signers', foldMaker(signer), fold(signer));
    addMatches('broad_signers', foldMaker(signer), fold(signer));
    // Who signs a program is its company too.
    addMatches('companies', foldMaker(signer), fold(signer));
  }
  addFoldedMatches('team_ids', teamOf(seenProgram));
  addFoldedMatches('bundle_ids', seenProgram.bundle_id);
  addFoldedMatches('sha256', seenProgram.sha256);
  for (const library of seenProgram.libraries ?? []) addMatches('libraries', nameKey(os, library), fold(library));
  for (const folder of seenProgram.path ? foldersOf(seenProgram.path) : []) addMatches('paths', pathKey(os, folder), folder);
  const namedDefinition = definitionByOriginal(seenProgram, set);
  if (namedDefinition && !evidenceByDefinition.get(namedDefinition)?.marks.has('original_names'))
    evidenceOf(namedDefinition).marks.set('original_names', fold(seenProgram.original_name ?? seenProgram.internal_name ?? ''));
  noteSiblings(seenProgram, set, evidenceByDefinition);
  return evidenceByDefinition;
}

const fileNameOf = ({ name }: ProgramSeen) => name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).slice(0, MAX_NAME);

/** The original file name counts like the current name: renaming a file does not change it. */
export function definitionByOriginal({ original_name, internal_name }: ProgramSeen, set: CompiledSet): Definition | undefined {
  const byOriginal = original_name && set.distinctive_originals.get(foldOriginal(original_name));
  return byOriginal || (internal_name ? set.distinctive_originals.get(foldOriginal(internal_name)) : undefined);
}

function noteSiblings(seenProgram: ProgramSeen, { siblings }: CompiledSet, evidenceByDefinition: Map<Definition, Evidence>) {
  const note = (field: SiblingField, key: string) => {
    for (const definition of (key && siblings[field].get(key)) || []) evidenceByDefinition.get(definition)?.sibling.add(field);
  };
  note('names', nameKey(seenProgram.os, fileNameOf(seenProgram)));
  note('original_names', foldOriginal(seenProgram.original_name ?? ''));
  note('products', fold(seenProgram.product ?? ''));
  note('products', fold(seenProgram.description ?? ''));
  note('bundle_ids', fold(seenProgram.bundle_id ?? ''));
}
