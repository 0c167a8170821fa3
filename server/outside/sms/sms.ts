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
export interface Texter {
  /** E.164: where texts come from, and where START and STOP go (`phone_number_host`, 3.1). Null when texts are switched off. */
  from: string | null;
  /** Resolves when the text was accepted; throws `TextRefused` when it never will be, and anything else when it may be tried again. */
  send(text: Text): Promise<void>;
  /** Did the carrier post this form to `url`, as it is reached from outside? */
  hasSigned(url: string, fields: URLSearchParams, signature: string): boolean;
  close(): Promise<void>;
}

/** Trying again would not help: the number has asked for no more texts, or takes none. */
export class TextRefused extends Error {
  readonly reason: 'opted_out' | 'refused';

  constructor(reason: TextRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** With texts switched off none leaves, whoever asks. */
export const noTexts: Texter = {
  from: null,
  send: () => Promise.reject(new TextRefused('refused', 'texts are switched off')),
  hasSigned: () => false,
  close: async () => {},
};
