/** One mail, ready to be handed to a mail server. */
export interface Mail {
  /** Without angle brackets; the same one when the same mail is tried again (P5.4). */
  message_id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Where one click ends mails of this kind (RFC 8058). */
  unsubscribe?: string;
  /** Mails of one urgency share connections, so that none stands behind one of another; `ordinary` when it is left out. */
  urgency?: 'urgent' | 'ordinary' | 'bulk';
}

/** The mail server, real or local. */
export interface Mailer {
  /** Resolves when the server has accepted it; throws `MailFailed` when it has not. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/**
 * What a mail server refused, or that it did not answer. `server`: it lets us say nothing, or is not there; `us`: it does not let us send; `address`: there is no
 * such recipient; `recipient`: they cannot take it just now; `mail`, `later`: refused for good or for now, it did not say why; `unclear`: no answer.
 */
export type MailFault = 'server' | 'us' | 'address' | 'recipient' | 'mail' | 'later' | 'unclear';

/** The mail was not accepted. Its message has numbers alone: what a server says may have the address in it. */
export class MailFailed extends Error {
  readonly fault: MailFault;
  /** `status`: the SMTP reply code, undefined without a reply; `code`: the enhanced status code (RFC 3463) or the connection's error; `command`: the SMTP command that failed. */
  readonly facts: { status?: number; code?: string; command?: string };

  constructor(fault: MailFault, facts: MailFailed['facts']) {
    const said = [facts.status ?? 'no answer', facts.code, facts.command && `at ${facts.command}`].filter(Boolean).join(' ');
    super(`the mail server did not take it (${said})`);
    this.fault = fault;
    this.facts = facts;
  }
}
