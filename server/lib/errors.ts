import { type ErrorCode, errors, type FieldError } from '@porchlight/contract/errors.ts';

interface RefusalDetails {
  fields?: FieldError[];
  retry_after?: number;
  from_name?: string;
}

/** A refusal that the contract defines. Thrown by `fail`, turned into an answer by `error-handler.ts`. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldError[] | undefined;
  readonly retry_after: number | undefined;
  readonly from_name: string | undefined;

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    super(errors[code].words);
    this.code = code;
    this.fields = details.fields;
    this.retry_after = details.retry_after;
    this.from_name = details.from_name;
  }
}

export function fail(code: ErrorCode, details?: RefusalDetails): never {
  throw new Refusal(code, details);
}
