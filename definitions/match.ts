import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import { type Agreed, agreements } from './agree.ts';
import { fold, foldOriginal } from './fold.ts';
import type { Match, ProgramSeen } from './format.ts';
import type { CompiledSet, MarkField } from './index-marks.ts';
import { nameVariants } from './name-variants.ts';
import { canonicalHost } from './sites/host.ts';
import { findSite } from './sites/rules.ts';

export { type CompiledSet, compileSet } from './index-marks.ts';

const strong: MarkField[] = ['signers', 'team_ids', 'bundle_ids', 'sha256'];

/** Each line is one voice: the maker's name and the maker's signature say the same thing, and so do two kinds of file name. */
const weak: MarkField[][] = [['names', 'generic_names'], ['original_names'], ['products'], ['companies', 'broad_signers'], ['paths']];

/** Fields that say whose program it is. When they are there and none is ours, the file name is a coincidence or a disguise. */
const ownership: MarkField[] = ['original_names', 'companies', 'signers', 'broad_signers', ...strong];

const label: Record<MarkField, string> = {
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
  paths: 'path',
};

const given = (value: string | undefined) => value !== undefined && value.trim() !== '';

/**
 * Is it a sibling of the family, from the same vendor? What the program itself says of itself decides, and only a mark of this very
 * product says more: its hash, its bundle identifier. Signer and team are the vendor's and so the sibling's too. The file name alone can
 * be given to anything, so a sibling's file name does not hide a program whose original name is ours.
 */
function isSibling({ marks, sibling }: Agreed): boolean {
  if (sibling.size === 0 || marks.has('sha256') || (marks.has('bundle_ids') && !sibling.has('bundle_ids'))) return false;
  return sibling.size > 1 || !sibling.has('names') || !marks.has('original_names');
}

/** Is the file called what it was not built as? Then its name says what somebody wants it to look like. */
function renamed(marks: Agreed['marks'], { name, original_name }: ProgramSeen): boolean {
  if (!given(original_name) || marks.has('original_names')) return false;
  return !nameVariants(name).includes(foldOriginal(original_name ?? '').replace(/\.dll$/, ''));
}

/** How many voices speak for the family, each once. Two that only say "some vendor's, some common name" are no two voices. */
function voicesOf(marks: Agreed['marks'], seen: ProgramSeen): number {
  const spoken = new Set(marks.keys());
  if (renamed(marks, seen)) for (const field of ['names', 'generic_names'] as const) spoken.delete(field);
  const voices = weak.filter((fields) => fields.some((field) => spoken.has(field))).length;
  const common = spoken.has('generic_names') && !spoken.has('names') && spoken.has('broad_signers') && !spoken.has('companies');
  return common ? voices - 1 : voices;
}

function certaintyOf(agreed: Agreed, seen: ProgramSeen, distinctiveOriginal: boolean): Match['certainty'] | null {
  const { marks } = agreed;
  if (isSibling(agreed)) return null;
  if (strong.some((field) => marks.has(field))) return 'certain';
  if (marks.has('original_names') && marks.has('companies')) return 'certain';
  const someone = [seen.signer, seen.company, seen.original_name].some(given);
  const ours = ownership.some((field) => marks.has(field));
  if (voicesOf(marks, seen) >= 2 && (ours || !someone)) return 'certain';
  return marks.has('names') || distinctiveOriginal ? 'likely' : null;
}

/** Which family a program belongs to (P4.2), or null. The surest family wins, then the one with more marks, then set order. */
export function matchProgram(seen: ProgramSeen, set: CompiledSet): Match | null {
  const originalOf = set.distinctive_originals.get(foldOriginal(seen.original_name ?? ''));
  let best: { match: Match; rank: number } | null = null;
  for (const [definition, agreed] of agreements(seen, set)) {
    const certainty = certaintyOf(agreed, seen, originalOf === definition);
    if (certainty === null) continue;
    const rank = (certainty === 'certain' ? 100 : 0) + agreed.marks.size;
    if (best && best.rank >= rank) continue;
    const why = [...agreed.marks].map(([field, value]) => `${label[field]}=${value}`);
    best = { match: { identifier: definition.identifier, name: definition.name, category: definition.category, certainty, why }, rank };
  }
  return best?.match ?? null;
}

/** Which family a site belongs to, or null: a listed host and everything below it, or a host that looks alike. Always certain. */
export function matchSite(domain: string, set: CompiledSet): Match | null {
  const read = canonicalHost(domain);
  const found = 'host' in read ? findSite(read.host, set.sites) : null;
  if (!found) return null;
  const { identifier, name, category } = found.definition;
  return { identifier, name, category, certainty: 'certain', why: [found.why] };
}

/** The person's own exception for the family of a match that holds now, or null. `until` null means until removed. */
export function exceptionFrom(match: Match, { allow }: Pick<DevicePolicy, 'allow'>, now: Date): DevicePolicy['allow'][number] | null {
  const holds = allow.filter(
    ({ type, identifier, until }) =>
      type === 'definition' && fold(identifier) === fold(match.identifier) && (until === null || Date.parse(until) > now.getTime()),
  );
  // Of several the longest counts.
  return (
    holds.find(({ until }) => until === null) ?? holds.toSorted((a, b) => Date.parse(b.until ?? '') - Date.parse(a.until ?? ''))[0] ?? null
  );
}

/** What the policy wants done about a match. The person's own exception wins over everything while it lasts. */
export function actionFor(match: Match, policy: Pick<DevicePolicy, 'actions' | 'block_likely' | 'allow'>, now: Date): PolicyAction {
  if (exceptionFrom(match, policy, now)) return 'ignore';
  const action = policy.actions[match.category];
  return action === 'block' && match.certainty === 'likely' && !policy.block_likely ? 'alert' : action;
}
