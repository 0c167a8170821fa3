import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import { fold, foldName } from './fold.ts';
import type { Definition, Match, ProgramSeen } from './format.ts';
import { type CompiledSet, type MarkField, nameKey } from './index-marks.ts';
import { canonicalHost } from './sites/host.ts';
import { findSite } from './sites/rules.ts';

export { type CompiledSet, compileSet } from './index-marks.ts';

/** What spoke for one family: the fields that agreed, each with the value that was seen. */
type Agreed = Map<MarkField, string>;

const strong: MarkField[] = ['signers', 'team_ids', 'bundle_ids', 'sha256'];

/** Each line is one voice: the maker's name and the maker's signature say the same thing, and so do two kinds of file name. */
const weak: MarkField[][] = [['names', 'generic_names'], ['original_names'], ['products'], ['companies', 'broad_signers']];

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
};

/**
 * A signature's subject arrives as a bare name or as a whole line (`CN="Example, Inc.", O=...`): the person or company in it
 * counts, never its street or town.
 */
function signerNames(subject: string): string[] {
  const parts = subject.matchAll(/(?:^|,)\s*(?:CN|O)\s*=\s*(?:"([^"]*)"|((?:\\.|[^,\\])*))/gi);
  return [subject, ...[...parts].map(([, quoted, bare]) => quoted ?? (bare ?? '').replaceAll('\\', ''))];
}

function agreements(seen: ProgramSeen, set: CompiledSet): Map<Definition, Agreed> {
  const found = new Map<Definition, Agreed>();
  const look = (field: MarkField, key: string, value: string) => {
    for (const definition of (key && set.marks[field].get(key)) || []) {
      const agreed = found.get(definition) ?? new Map();
      found.set(definition, agreed.has(field) ? agreed : agreed.set(field, value));
    }
  };
  const lookFolded = (field: MarkField, value: string | undefined) => look(field, fold(value ?? ''), fold(value ?? ''));

  for (const field of ['names', 'generic_names'] as const) look(field, nameKey(seen.os, seen.name), fold(seen.name));
  look('original_names', foldName(seen.original_name ?? ''), fold(seen.original_name ?? ''));
  lookFolded('products', seen.product);
  lookFolded('companies', seen.company);
  for (const signer of seen.signer ? signerNames(seen.signer) : []) {
    lookFolded('signers', signer);
    lookFolded('broad_signers', signer);
  }
  lookFolded('team_ids', seen.team_id);
  lookFolded('bundle_ids', seen.bundle_id);
  lookFolded('sha256', seen.sha256);
  return found;
}

function certaintyOf(agreed: Agreed, seen: ProgramSeen): Match['certainty'] | null {
  if (strong.some((field) => agreed.has(field))) return 'certain';
  if (agreed.has('original_names') && agreed.has('companies')) return 'certain';
  const someone = [seen.signer, seen.company, seen.original_name].some((value) => value !== undefined && value.trim() !== '');
  const ours = ownership.some((field) => agreed.has(field));
  const voices = weak.filter((fields) => fields.some((field) => agreed.has(field))).length;
  if (voices >= 2 && (ours || !someone)) return 'certain';
  return agreed.has('names') ? 'likely' : null;
}

/** Which family a program belongs to (P4.2), or null. The surest family wins, then the one with more marks, then set order. */
export function matchProgram(seen: ProgramSeen, set: CompiledSet): Match | null {
  let best: { match: Match; rank: number } | null = null;
  for (const [definition, agreed] of agreements(seen, set)) {
    const certainty = certaintyOf(agreed, seen);
    if (certainty === null) continue;
    const rank = (certainty === 'certain' ? 100 : 0) + agreed.size;
    if (best && best.rank >= rank) continue;
    const why = [...agreed].map(([field, value]) => `${label[field]}=${value}`);
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

/** What the policy wants done about a match. The person's own exception wins over everything while it lasts. */
export function actionFor(match: Match, policy: Pick<DevicePolicy, 'actions' | 'block_likely' | 'allow'>, now: Date): PolicyAction {
  const allowed = policy.allow.some(
    ({ type, identifier, until }) =>
      type === 'definition' && fold(identifier) === fold(match.identifier) && (until === null || Date.parse(until) > now.getTime()),
  );
  if (allowed) return 'ignore';
  const action = policy.actions[match.category];
  return action === 'block' && match.certainty === 'likely' && !policy.block_likely ? 'alert' : action;
}
