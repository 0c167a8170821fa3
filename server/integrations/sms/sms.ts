export interface Sms {
  /** The job's id, the same for every attempt (P5.4). */
  id: string;
  to: string;
  /** At most 160 GSM-7 characters: one message. */
  body: string;
}

export interface SmsSender {
  /** E.164: the sender's number (`phone_number_host`, 3.1). Null with SMS switched off. */
  from: string | null;
  /** Throws `SmsRefused` for a permanent failure, and `SmsFailed` when the SMS may be retried. */
  send(text: Sms): Promise<void>;
  /** Whether the carrier signed this form, which was posted to our public `url`. */
  hasSigned(url: string, fields: URLSearchParams, signature: string): boolean;
  close(): Promise<void>;
}

/** The number has opted out, or cannot receive SMS, so retries are useless. */
export class SmsRefused extends Error {
  readonly reason: 'opted_out' | 'refused';

  constructor(reason: SmsRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** `server`: the carrier is unreachable, or refuses our account; `later`: overloaded; `unclear`: no answer. */
export type SmsFault = 'server' | 'later' | 'unclear';

/** The carrier did not accept the SMS, for a reason other than the recipient's number. */
export class SmsFailed extends Error {
  readonly fault: SmsFault;
  /** `code`: the carrier's error number, or the connection's error. */
  readonly facts: { status?: number; code?: string };

  constructor(fault: SmsFault, facts: SmsFailed['facts']) {
    super(`the text was not taken (${facts.status ?? 'no answer'}, ${facts.code ?? 0})`);
    this.fault = fault;
    this.facts = facts;
  }
}

export const noSms: SmsSender = {
  from: null,
  send: () => Promise.reject(new SmsRefused('refused', 'texts are switched off')),
  hasSigned: () => false,
  close: async () => {},
};
