import { type ErrorCode, errors, type FieldError } from '@porchlight/contract/errors.ts';

/** The answer to a call that waits for a yes (P10.1). `until`: ISO time when the same call passes, or may be made again after a no. */
export interface HoldDetails {
  request: string;
  until: string;
  /** The first names of those whose yes counts now. */
  asked: string[];
  /** A sentence for people. */
  because: string;
  /** Whether the server makes the call itself after a yes. */
  by_server: boolean;
}

interface RefusalDetails {
  /** Replaces the error's own words. */
  words?: string;
  hold?: HoldDetails;
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
  readonly hold: HoldDetails | undefined;

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    super(details.words ?? errors[code].words);
    this.code = code;
    this.fields = details.fields;
    this.retry_after = details.retry_after;
    this.from_name = details.from_name;
    this.hold = details.hold;
  }
}

export function fail(code: ErrorCode, details?: RefusalDetails): never {
  throw new Refusal(code, details);
}
