import type { FieldError } from '@porchlight/contract/errors.ts';

/** The parts of a schema issue that decide the tag. */
export interface Issue {
  code?: string;
  path?: PropertyKey[];
  input?: unknown;
  minimum?: number | bigint;
  format?: string;
  message?: string;
}

/** Schema issues as the wire's list of field and tag (P1.2, spec 5.11). */
export function fieldErrors(issues: Issue[]): FieldError[] {
  const seen = new Set<string>();
  const found: FieldError[] = [];
  for (const issue of issues) {
    const field = fieldName(issue.path ?? []);
    if (!field || seen.has(field)) continue;
    seen.add(field);
    found.push({ field, tag: tagOf(issue) });
  }
  return found;
}

/** `signup_code` → `SignupCode`; of a path the last name counts. */
function fieldName(path: PropertyKey[]): string {
  const last = path.filter((p) => typeof p === 'string').at(-1);
  if (typeof last !== 'string') return '';
  return last
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function tagOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return /received (undefined|null)/.test(issue.message ?? '') ? 'required' : 'type';
    case 'too_small':
      return Number(issue.minimum) <= 1 ? 'required' : 'min';
    case 'too_big':
      return 'max';
    case 'invalid_format':
      return issue.format ?? 'format';
    case 'invalid_value':
    case 'invalid_union':
      return 'oneof';
    default:
      return issue.code ?? 'format';
  }
}
