import { type ErrorCode, errors, type FieldError } from '@porchlight/contract/errors.ts';

/** A refusal that the contract names. Thrown by `fail`, turned into an answer in one place (`error-handler.ts`). */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldError[] | undefined;
  /** Seconds until it is worth trying again. */
  readonly retry_after: number | undefined;

  constructor(code: ErrorCode, more: { fields?: FieldError[]; retry_after?: number } = {}) {
    super(errors[code].words);
    this.code = code;
    this.fields = more.fields;
    this.retry_after = more.retry_after;
  }
}

export function fail(code: ErrorCode, more?: { fields?: FieldError[]; retry_after?: number }): never {
  throw new Refusal(code, more);
}
