import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import { sharedSigners } from './check-lists.ts';
import { collectEvidence, definitionByOriginal, type Evidence } from './evidence.ts';
import { fold, foldMaker, foldOriginal } from './fold.ts';
import type { Definition, Match, ProgramSeen } from './format.ts';
import type { CompiledSet, MarkField, MarkIndex } from './index-marks.ts';
import { nameVariants } from './name-variants.ts';
import { signerNames } from './signer-names.ts';
import { canonicalHost } from './sites/host.ts';
import { findSite } from './sites/rules.ts';

export { type CompiledRecognition, type CompiledSet, compileRecognition, compileSet } from './index-marks.ts';

const strongFields: MarkField[] = ['signers', 'team_ids', 'bundle_ids', 'sha256', 'libraries'];

/** Fields in a line count once: company and signature are the same evidence, and so are the two kinds of file name. */
const weakFields: MarkField[][] = [['names', 'generic_names'], ['original_names'], ['products'], ['companies', 'broad_signers'], ['paths']];

/** If a program has some of these fields and none matches the definition, a matching file name is a coincidence or a disguise. */
const ownership: MarkField[] = ['original_names', 'companies', 'signers', 'broad_signers', ...strongFields];

const fieldLabels: Record<MarkField, string> = {
  names: 'name',
  generic_names: 'name',
  original_names: 'original_name',
  products: 'product',
  companies: 'company',
  signers: 'signer',
  broad_signers: 'signer',
  team_ids: 'team_id',
  bundle_ids: 'bundle_id',
  sha256: 'sha256',
  libraries: 'library',
  paths: 'path',
};

const isPresent = (value: string | undefined) => value !== undefined && value.trim() !== '';

/**
 * The program's metadata decides whether it is a sibling product; only the definition's hash or bundle identifier overrides that, since
 * signer and team are shared. A sibling's file name alone does not hide a program with the definition's original name, since anyone can
 * rename a file.
 */
function isSibling({ marks, sibling }: Evidence): boolean {
  if (sibling.size === 0 || marks.has('sha256') || (marks.has('bundle_ids') && !sibling.has('bundle_ids'))) return false;
  return sibling.size > 1 || !sibling.has('names') || !marks.has('original_names');
}

/** Whether the file name differs from the original name; such a name may deceive. */
function isRenamed(marks: Evidence['marks'], { name, original_name }: ProgramSeen): boolean {
  if (!isPresent(original_name) || marks.has('original_names')) return false;
  return !nameVariants(name).includes(foldOriginal(original_name ?? '').replace(/\.dll$/, ''));
}

/** Counts independent evidence. A broad signer and a generic name together count once. */
function countEvidence(marks: Evidence['marks'], seenProgram: ProgramSeen): number {
  const matchedFields = new Set(marks.keys());
  if (isRenamed(marks, seenProgram)) for (const field of ['names', 'generic_names'] as const) matchedFields.delete(field);
  const pieces = weakFields.filter((fields) => fields.some((field) => matchedFields.has(field))).length;
  const commonPairs =
    matchedFields.has('generic_names') &&
    !matchedFields.has('names') &&
    matchedFields.has('broad_signers') &&
    !matchedFields.has('companies');
  return commonPairs ? pieces - 1 : pieces;
}

/**
 * Whether the version information alone makes a program likely: a product of this definition only, or a company that signs nothing harmless.
 * A known company's signature shows that the program is another one.
 */
function hasOwnVersionInfo(definition: Definition, { marks }: Evidence, { signer }: ProgramSeen, set: CompiledSet): boolean {
  if (signer && signerNames(signer).some((name) => sharedSigners.has(foldMaker(name)))) return false;
  const isOwned = (index: MarkIndex, key: string) => index.get(key)?.includes(definition) ?? false;
  return (
    isOwned(set.distinctive_products, marks.get('products') ?? '') || isOwned(set.marks.signers, foldMaker(marks.get('companies') ?? ''))
  );
}

function certaintyOf(definition: Definition, evidence: Evidence, seenProgram: ProgramSeen, set: CompiledSet): Match['certainty'] | null {
  const { marks } = evidence;
  if (isSibling(evidence)) return null;
  if (strongFields.some((field) => marks.has(field))) return 'certain';
  if (marks.has('original_names') && marks.has('companies')) return 'certain';
  const hasOwner = [seenProgram.signer, seenProgram.company, seenProgram.original_name].some(isPresent);
  const matchesOwner = ownership.some((field) => marks.has(field));
  if (countEvidence(marks, seenProgram) >= 2 && (matchesOwner || !hasOwner)) return 'certain';
  const isLikely =
    marks.has('names') ||
    definitionByOriginal(seenProgram, set) === definition ||
    hasOwnVersionInfo(definition, evidence, seenProgram, set);
  return isLikely ? 'likely' : null;
}

/** The best match (P4.2): highest certainty first, then the most marks, then set order. */
export function matchProgram(seenProgram: ProgramSeen, set: CompiledSet): Match | null {
  let best: { match: Match; rank: number } | null = null;
  for (const [definition, agreed] of collectEvidence(seenProgram, set)) {
    const certainty = certaintyOf(definition, agreed, seenProgram, set);
    if (certainty === null) continue;
    const rank = (certainty === 'certain' ? 100 : 0) + agreed.marks.size;
    if (best && best.rank >= rank) continue;
    const reasons = [...agreed.marks].map(([field, value]) => `${fieldLabels[field]}=${value}`);
    best = {
      match: { identifier: definition.identifier, name: definition.name, category: definition.category, certainty, why: reasons },
      rank,
    };
  }
  return best?.match ?? null;
}

/** Matches a listed host, its subdomains, and look-alike hosts. The match is always certain. */
export function matchSite(domain: string, set: CompiledSet): Match | null {
  const read = canonicalHost(domain);
  const siteMatch = 'host' in read ? findSite(read.host, set.sites) : null;
  if (!siteMatch) return null;
  const { identifier, name, category } = siteMatch.definition;
  return { identifier, name, category, certainty: 'certain', why: [siteMatch.why] };
}

/** `only_certain`: it is about certain matches alone (P15.1). */
export type AllowEntry = DevicePolicy['allow'][number] & { only_certain?: boolean };

const currentEntriesFor = (match: Match, { allow }: { allow: AllowEntry[] }, now: Date): AllowEntry[] =>
  allow.filter(
    ({ type, identifier, until, only_certain }) =>
      type === 'definition' &&
      (match.certainty === 'certain' || only_certain !== true) &&
      fold(identifier) === fold(match.identifier) &&
      (until === null || Date.parse(until) > now.getTime()),
  );

/** The current allow-list entry for a match. `until` null: until removed. */
export function exceptionFrom(match: Match, policy: { allow: AllowEntry[] }, now: Date): AllowEntry | null {
  const currentEntries = currentEntriesFor(match, policy, now);
  return (
    currentEntries.find(({ until }) => until === null) ??
    currentEntries.toSorted((a, b) => Date.parse(b.until ?? '') - Date.parse(a.until ?? ''))[0] ??
    null
  );
}

/**
 * Whether a start is reported although it is allowed (P9.1). Of several entries for a program one is enough, so that an older entry does not
 * hide that the program was just allowed. `now`: for the end of an entry. `signedNow`: for the end of the reporting.
 */
export function isReportedThoughAllowed(
  match: Match,
  policy: { allow: AllowEntry[] },
  { now, signedNow }: { now: Date; signedNow: Date },
): boolean {
  if (match.category !== 'RemoteControl') return false;
  return currentEntriesFor(match, policy, now).some(
    ({ reported_until }) => reported_until !== null && Date.parse(reported_until) > signedNow.getTime(),
  );
}

/** The action for a match. A user's allow-list entry outranks the policy while it lasts. */
export function actionFor(
  match: Match,
  policy: Pick<DevicePolicy, 'actions' | 'block_likely'> & { allow: AllowEntry[] },
  now: Date,
): PolicyAction {
  if (exceptionFrom(match, policy, now)) return 'ignore';
  const action = policy.actions[match.category];
  return action === 'block' && match.certainty === 'likely' && !policy.block_likely ? 'alert' : action;
}
