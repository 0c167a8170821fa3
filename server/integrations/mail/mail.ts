export interface Mail {
  /** Without angle brackets; the same for every attempt (P5.4). */
  message_id: string;
  /** The id of the call that caused it, so that a mail can be found in the log; null for the server's own. */
  request_id?: string | null;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** The one-click unsubscribe URL (RFC 8058). */
  unsubscribe?: string;
  /** Urgencies have separate connections, so that urgent mail never waits behind other mail; default `ordinary`. */
  urgency?: 'urgent' | 'ordinary' | 'bulk';
}

export interface Mailer {
  /** Resolves when the mail server has accepted the mail; otherwise throws `MailFailed`. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/**
 * `server`: unreachable, or refuses everything; `us`: refuses us; `address`: no such recipient; `recipient`: cannot receive now; `mail`,
 * `later`: refused for good or for now, without a reason; `unclear`: no answer.
 */
export type MailFault = 'server' | 'us' | 'address' | 'recipient' | 'mail' | 'later' | 'unclear';

/** The message has only codes: a mail server's text may contain the recipient's address. */
export class MailFailed extends Error {
  readonly fault: MailFault;
  /** `status`: undefined without a reply; `code`: the enhanced status code (RFC 3463) or the connection's error. */
  readonly facts: { status?: number; code?: string; command?: string };

  constructor(fault: MailFault, facts: MailFailed['facts']) {
    const summary = [facts.status ?? 'no answer', facts.code, facts.command && `at ${facts.command}`].filter(Boolean).join(' ');
    super(`the mail server did not take it (${summary})`);
    this.fault = fault;
    this.facts = facts;
  }
}
