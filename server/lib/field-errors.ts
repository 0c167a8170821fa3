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

/** The first field with a character in it that PostgreSQL keeps in no text (NUL); null when there is none. */
export function unstorableField(value: unknown, path: string[] = []): string | null {
  if (typeof value === 'string') return value.includes('\0') ? fieldName(path) : null;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null;
  for (const [key, part] of Object.entries(value)) {
    const field = key.includes('\0') ? fieldName(path) : unstorableField(part, Array.isArray(value) ? path : [...path, key]);
    if (field !== null) return field;
  }
  return null;
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
