import type { FieldError } from '@porchlight/contract/errors.ts';

export interface Issue {
  code?: string;
  path?: PropertyKey[];
  input?: unknown;
  minimum?: number | bigint;
  format?: string;
  message?: string;
}

/** Schema issues as the API's list of field and tag (P1.2, spec 5.11). */
export function fieldErrors(issues: Issue[]): FieldError[] {
  const seenFields = new Set<string>();
  const errors: FieldError[] = [];
  for (const issue of issues) {
    const field = fieldName(issue.path ?? []);
    if (!field || seenFields.has(field)) continue;
    seenFields.add(field);
    errors.push({ field, tag: tagOf(issue) });
  }
  return errors;
}

/** The first field that contains NUL, which PostgreSQL cannot store in text; null if none. */
export function unstorableField(value: unknown, path: string[] = []): string | null {
  if (typeof value === 'string') return value.includes('\0') ? fieldName(path) : null;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null;
  for (const [key, nested] of Object.entries(value)) {
    const field = key.includes('\0') ? fieldName(path) : unstorableField(nested, Array.isArray(value) ? path : [...path, key]);
    if (field !== null) return field;
  }
  return null;
}

/** `signup_code` → `SignupCode`; of a path the last name counts. */
function fieldName(path: PropertyKey[]): string {
  const lastName = path.filter((p) => typeof p === 'string').at(-1);
  if (typeof lastName !== 'string') return '';
  return lastName
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
