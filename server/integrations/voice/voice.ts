import type { TwilioFault } from '../twilio/api.ts';

export interface VoiceCaller {
  /** E.164: the number that calls. Null with calls switched off. */
  from: string | null;
  /**
   * Calls a number. What is read, and what became of it, the service asks and reports at the webhooks of this call's id. Throws
   * `CallRefused` for a permanent failure, and `CallFailed` when the call may be retried.
   */
  call(call: { id: string; to: string }): Promise<void>;
  /** Whether the service signed this form, which was posted to our public `url`. */
  hasSigned(url: string, fields: URLSearchParams, signature: string): boolean;
  close(): Promise<void>;
}

/** The number cannot be called, so retries are useless. */
export class CallRefused extends Error {}

/** The service did not accept the call, for a reason other than the number. */
export class CallFailed extends Error {
  readonly fault: TwilioFault;
  /** `code`: the service's error number, or the connection's error. */
  readonly facts: { status?: number; code?: string };

  constructor(fault: TwilioFault, facts: CallFailed['facts']) {
    super(`the call was not taken (${facts.status ?? 'no answer'}, ${facts.code ?? 0})`);
    this.fault = fault;
    this.facts = facts;
  }
}

export const noVoice: VoiceCaller = {
  from: null,
  call: () => Promise.reject(new CallRefused('calls are switched off')),
  hasSigned: () => false,
  close: async () => {},
};
