/** One text message, ready to be handed to the telephone network. */
export interface Text {
  /** The job's: the same one when the same text is tried again (P5.4). */
  id: string;
  /** E.164. */
  to: string;
  /** At most 160 GSM-7 characters, so that it arrives as one. */
  body: string;
}

/** Who carries texts, real or local. */
export interface SmsSender {
  /** E.164: where texts come from, and where START and STOP go (`phone_number_host`, 3.1). Null when texts are switched off. */
  from: string | null;
  /** Resolves when the text was accepted; throws `SmsRefused` when it never will be, and `SmsFailed` when it may be tried again. */
  send(text: Text): Promise<void>;
  /** Did the carrier post this form to `url`, as it is reached from outside? */
  hasSigned(url: string, fields: URLSearchParams, signature: string): boolean;
  close(): Promise<void>;
}

/** Trying again would not help: the number has asked for no more texts, or takes none. */
export class SmsRefused extends Error {
  readonly reason: 'opted_out' | 'refused';

  constructor(reason: SmsRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What the service did: `server`: it is not there or does not know us; `later`: it has too much to do; `unclear`: it said nothing. */
export type SmsFault = 'server' | 'later' | 'unclear';

/** The carrier did not accept the text, for a reason that is not the recipient's number. */
export class SmsFailed extends Error {
  readonly fault: SmsFault;
  /** `status`: of HTTP, undefined without an answer; `code`: the service's own number, or the error of the line. */
  readonly facts: { status?: number; code?: string };

  constructor(fault: SmsFault, facts: SmsFailed['facts']) {
    super(`the text was not taken (${facts.status ?? 'no answer'}, ${facts.code ?? 0})`);
    this.fault = fault;
    this.facts = facts;
  }
}

/** With texts switched off none leaves, whoever asks. */
export const noSms: SmsSender = {
  from: null,
  send: () => Promise.reject(new SmsRefused('refused', 'texts are switched off')),
  hasSigned: () => false,
  close: async () => {},
};
