import { type ErrorCode, errors, type FieldError } from '@porchlight/contract/errors.ts';

interface More {
  fields?: FieldError[];
  retry_after?: number;
  from_name?: string;
}

/** A refusal that the contract names. Thrown by `fail`, turned into an answer in one place (`error-handler.ts`). */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldError[] | undefined;
  /** Seconds until it is worth trying again. */
  readonly retry_after: number | undefined;
  /** Who can help, by the first name. */
  readonly from_name: string | undefined;

  constructor(code: ErrorCode, more: More = {}) {
    super(errors[code].words);
    this.code = code;
    this.fields = more.fields;
    this.retry_after = more.retry_after;
    this.from_name = more.from_name;
  }
}

export function fail(code: ErrorCode, more?: More): never {
  throw new Refusal(code, more);
}
