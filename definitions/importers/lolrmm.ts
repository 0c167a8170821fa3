import { fold, foldMaker, foldName, foldOriginal } from '../fold.ts';
import { foldPath } from '../fold-path.ts';
import type { Definition } from '../format.ts';
import { type DraftFacts, factsOf } from './lolrmm-facts.ts';
import { readLolrmm } from './lolrmm-file.ts';

export interface FileToImport {
  file: string;
  text: string;
}

/** A definition without help texts. A person decides whether it belongs in the catalogue. */
export interface Draft extends DraftFacts {
  identifier: string;
  name: string;
  category: 'RemoteControl';
  allowlistable: true;
  sources: Definition['sources'];
}

interface Entry {
  file: string;
  identifier: string;
  name: string;
  left_out: string[];
}

export interface ImportReport {
  new: Entry[];
  /** Existing definitions; `lacks` are missing facts. */
  changed: (Entry & { lacks: string[] })[];
  same: Entry[];
  refused: { file: string; why: string }[];
}

/** Imports LOLRMM files. `source` is named in drafts: `LOLRMM 3c75cf0`. Pure. */
export function importLolrmm(files: FileToImport[], catalogue: Definition[], source: string): { drafts: Draft[]; report: ImportReport } {
  const drafts = new Map<string, Draft>();
  const report: ImportReport = { new: [], changed: [], same: [], refused: [] };
  for (const { file, text } of files) {
    try {
      const { draft, left_out } = draftOf(text, source);
      const reason = whyUseless(draft);
      if (reason) throw new Error(left_out.length > 0 ? `${reason} (left out: ${left_out.join('; ')})` : reason);
      if (drafts.has(draft.identifier)) throw new Error(`is called ${draft.name}, as another file is: put the two together by hand`);
      const existing = existingDefinition(draft, catalogue);
      const entry = { file, identifier: existing?.identifier ?? draft.identifier, name: draft.name, left_out };
      const missingFacts = existing ? [...factsIn(draft)].filter((fact) => !factsIn(existing).has(fact)) : [];
      if (!existing) report.new.push(entry);
      else if (missingFacts.length > 0) report.changed.push({ ...entry, lacks: missingFacts });
      else report.same.push(entry);
      if (!existing || missingFacts.length > 0) drafts.set(draft.identifier, draft);
    } catch (reason) {
      report.refused.push({ file, why: reason instanceof Error ? reason.message : String(reason) });
    }
  }
  return { drafts: [...drafts.values()], report };
}

function draftOf(text: string, source: string): { draft: Draft; left_out: string[] } {
  const tool = readLolrmm(text);
  const { facts, left_out } = factsOf(tool);
  const presentFields = Object.entries({ ...facts.programs, services: facts.services, domains: facts.domains });
  const fields = presentFields.flatMap(([field, values]) =>
    values.length > 0 ? [field as Definition['sources'][number]['facts'][number]] : [],
  );
  const identifier = fold(tool.name)
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-$/, '');
  if (identifier === '') throw new Error(`has the Name ${tool.name}, of which no identifier can be made`);
  const draft: Draft = {
    identifier,
    name: tool.name,
    category: 'RemoteControl',
    allowlistable: true,
    ...facts,
    sources: [{ name: source, facts: fields }],
  };
  return { draft, left_out };
}

function whyUseless({ programs, domains }: Draft): string | null {
  const strongMarks = programs.signers.length + (programs.original_names.length > 0 ? programs.companies.length : 0);
  if (strongMarks + programs.names.length + domains.length > 0) return null;
  return 'has neither a strong mark nor a distinctive file name nor a host of its own';
}

/** Finds the definition of the same name, or with a file name or signer that is unique in the catalogue. */
function existingDefinition(draft: Draft, catalogue: Definition[]): Definition | null {
  const sameName = catalogue.find(
    ({ identifier, name, aliases }) =>
      identifier === draft.identifier || [name, ...aliases].some((word) => fold(word) === fold(draft.name)),
  );
  if (sameName) return sameName;
  const marks = strongIn(draft);
  return catalogue.find((definition) => [...strongIn(definition)].some((mark) => marks.has(mark))) ?? null;
}

function strongIn({ programs }: Pick<Definition, 'programs'>): Set<string> {
  return new Set([...programs.names.map(({ os, name }) => `${os} ${foldName(name)}`), ...programs.signers.map(foldMaker)]);
}

function factsIn({ programs, services, domains }: DraftFacts): Set<string> {
  const namedFacts = (field: string, list: { os: string; name: string }[]) =>
    list.map(({ os, name }) => `${field}: ${os} ${foldName(name)}`);
  return new Set([
    // A person decides the strength of a fact, so a name counts as present in each of these fields.
    ...namedFacts('name', [...programs.names, ...programs.generic_names]),
    ...programs.original_names.map((name) => `original_name: ${foldOriginal(name)}`),
    ...programs.products.map((name) => `product: ${fold(name)}`),
    ...programs.companies.map((name) => `company: ${foldMaker(name)}`),
    ...[...programs.signers, ...programs.broad_signers].map((name) => `signer: ${foldMaker(name)}`),
    ...programs.paths.map(({ os, path }) => `folder: ${os} ${foldPath(path)}`),
    ...namedFacts('service', services),
    ...domains.map((domain) => `domain: ${domain}`),
  ]);
}
