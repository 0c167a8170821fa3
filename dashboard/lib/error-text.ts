import type { FieldError } from '@porchlight/contract/errors.ts';
import { HttpError } from './http.ts';

/** An error that the form finds itself, for the alert area and beside the fields. */
export class FormError extends Error {
  readonly fields: Record<string, string>;

  constructor(fields: Record<string, string>) {
    super(Object.values(fields)[0]);
    this.fields = fields;
  }
}

/** The user decided against it, so nothing failed. The message says what to do now. */
export class Declined extends Error {}

/** What a dialog that was canceled rejects with (4.49). */
export const cancelledWords = 'Action Cancelled';

export const genericError = 'Something went wrong. Please try again in a moment.';

/** Clauses 8.1 to 8.6. */
export function errorText(error: unknown): string {
  if (!(error instanceof HttpError)) return error instanceof Error ? error.message : String(error);
  if (error.status === null) return 'Failed to connect to API.';
  if (typeof error.body === 'string' && error.body) return error.body;
  return error.part('error') ?? genericError;
}

export const isOffline = (error: unknown): boolean => error instanceof HttpError && error.status === null;

/** Never empty (8.7). */
export function errorMessage(error: unknown): string {
  return errorText(error) || 'An unknown error occurred';
}

/** Clauses 5.11 to 5.15. */
export function fieldMessage({ field, tag }: FieldError): string {
  const name = field.charAt(0).toLowerCase() + field.slice(1);
  if (tag === 'required') return `The ${name} is required`;
  if (tag === 'min') return `The ${name} does not have the minimum number of characters`;
  return `The field ${name} failed validation: ${tag}`;
}

/** Keyed by the form's field names: `Email` becomes `email`, `SignupCode` becomes `signup_code`. */
export function fieldMessages(error: unknown): Record<string, string> {
  if (error instanceof FormError) return error.fields;
  if (!(error instanceof HttpError)) return {};
  return Object.fromEntries(error.fields.map((f) => [f.field.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase(), fieldMessage(f)]));
}
