import { fold, foldMaker, foldName, foldOriginal } from '../fold.ts';
import { foldPath } from '../fold-path.ts';
import type { Definition } from '../format.ts';
import { type DraftFacts, factsOf } from './lolrmm-facts.ts';
import { readLolrmm } from './lolrmm-file.ts';

export interface FileToImport {
  file: string;
  text: string;
}

/** A family as far as a list can tell it: everything but the help, and the judgement whether it belongs here. */
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
  /** Values that were not taken over, each with why. */
  left_out: string[];
}

/** What became of each file; every list in the order of the files. */
export interface ImportReport {
  new: Entry[];
  /** The catalogue has the family; `lacks` are the facts that it does not have. */
  changed: (Entry & { lacks: string[] })[];
  same: Entry[];
  refused: { file: string; why: string }[];
}

/** Drafts of what is new or changed, and the report. `source` is what stands under sources: `LOLRMM 3c75cf0`. Pure. */
export function importLolrmm(files: FileToImport[], catalogue: Definition[], source: string): { drafts: Draft[]; report: ImportReport } {
  const drafts = new Map<string, Draft>();
  const report: ImportReport = { new: [], changed: [], same: [], refused: [] };
  for (const { file, text } of files) {
    try {
      const { draft, left_out } = draftOf(text, source);
      const why = whyUseless(draft);
      if (why) throw new Error(left_out.length > 0 ? `${why} (left out: ${left_out.join('; ')})` : why);
      if (drafts.has(draft.identifier)) throw new Error(`is called ${draft.name}, as another file is: put the two together by hand`);
      const known = familyOf(draft, catalogue);
      const entry = { file, identifier: known?.identifier ?? draft.identifier, name: draft.name, left_out };
      const lacks = known ? [...factsIn(draft)].filter((fact) => !factsIn(known).has(fact)) : [];
      if (!known) report.new.push(entry);
      else if (lacks.length > 0) report.changed.push({ ...entry, lacks });
      else report.same.push(entry);
      if (!known || lacks.length > 0) drafts.set(draft.identifier, draft);
    } catch (reason) {
      report.refused.push({ file, why: reason instanceof Error ? reason.message : String(reason) });
    }
  }
  return { drafts: [...drafts.values()], report };
}

function draftOf(text: string, source: string): { draft: Draft; left_out: string[] } {
  const tool = readLolrmm(text);
  const { facts, left_out } = factsOf(tool);
  const there = Object.entries({ ...facts.programs, services: facts.services, domains: facts.domains });
  const fields = there.flatMap(([field, values]) => (values.length > 0 ? [field as Definition['sources'][number]['facts'][number]] : []));
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

/** A family counts with a strong fact, a distinctive name or a host of its own. */
function whyUseless({ programs, domains }: Draft): string | null {
  const strong = programs.signers.length + (programs.original_names.length > 0 ? programs.companies.length : 0);
  if (strong + programs.names.length + domains.length > 0) return null;
  return 'has neither a strong mark nor a distinctive file name nor a host of its own';
}

/** The family of the catalogue that a draft is: by what it is called, else by a file name or signer that only one family has. */
function familyOf(draft: Draft, catalogue: Definition[]): Definition | null {
  const called = catalogue.find(
    ({ identifier, name, aliases }) =>
      identifier === draft.identifier || [name, ...aliases].some((word) => fold(word) === fold(draft.name)),
  );
  if (called) return called;
  const marks = strongIn(draft);
  return catalogue.find((definition) => [...strongIn(definition)].some((mark) => marks.has(mark))) ?? null;
}

function strongIn({ programs }: Pick<Definition, 'programs'>): Set<string> {
  return new Set([...programs.names.map(({ os, name }) => `${os} ${foldName(name)}`), ...programs.signers.map(foldMaker)]);
}

function factsIn({ programs, services, domains }: DraftFacts): Set<string> {
  const named = (field: string, list: { os: string; name: string }[]) => list.map(({ os, name }) => `${field}: ${os} ${foldName(name)}`);
  return new Set([
    // Strong or weak is a person's judgement: a fact that is there under either is there.
    ...named('name', [...programs.names, ...programs.generic_names]),
    ...programs.original_names.map((name) => `original_name: ${foldOriginal(name)}`),
    ...programs.products.map((name) => `product: ${fold(name)}`),
    ...programs.companies.map((name) => `company: ${foldMaker(name)}`),
    ...[...programs.signers, ...programs.broad_signers].map((name) => `signer: ${foldMaker(name)}`),
    ...programs.paths.map(({ os, path }) => `folder: ${os} ${foldPath(path)}`),
    ...named('service', services),
    ...domains.map((domain) => `domain: ${domain}`),
  ]);
}
