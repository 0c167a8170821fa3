import { fixedPolicies } from '@porchlight/contract/policies.ts';
import { z } from 'zod';
import { type Match, os } from '../format.ts';
import { actionFor, type CompiledSet, matchProgram, matchSite } from '../match.ts';

const text = z.string().max(4096).nullish();
const program = z.object({
  os,
  name: z.string().max(4096),
  path: text,
  original_name: text,
  internal_name: text,
  product: text,
  description: text,
  company: text,
  signer: text,
  team_id: text,
  bundle_id: text,
  sha256: text,
});
const site = z.object({ domain: z.string().max(4096) });

export interface Answer {
  match: { identifier: string; category: Match['category']; strength: Match['certainty']; why: string[] } | null;
  action: { strict: string; permissive: string };
}

/** Answers one JSON line. Throws an Error that describes what is wrong with the line. */
export function answerLine(line: string, set: CompiledSet, now: Date): Answer {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch {
    throw new Error('this is not JSON; write one object, such as {"os":"windows","name":"AnyDesk.exe"} or {"domain":"anydesk.com"}');
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new Error('this is not an object with a program or a site in it');
  const match = 'domain' in raw ? matchSite(checked(site, raw).domain, set) : matchProgram(withoutNulls(checked(program, raw)), set);
  const action = (policy: 'strict' | 'permissive') =>
    match ? actionFor(match, { actions: fixedPolicies[policy].actions, block_likely: policy === 'strict', allow: [] }, now) : 'ignore';
  const matched = match && { identifier: match.identifier, category: match.category, strength: match.certainty, why: match.why };
  return { match: matched, action: { strict: action('strict'), permissive: action('permissive') } };
}

function checked<T>(schema: z.ZodType<T>, raw: unknown): T {
  const { success, data, error } = schema.safeParse(raw);
  if (success) return data;
  const [issue] = error.issues;
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
}

function withoutNulls(seenProgram: z.infer<typeof program>) {
  const { os: system, name, ...rest } = seenProgram;
  const presentFields = Object.entries(rest).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { os: system, name, ...Object.fromEntries(presentFields) };
}
