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
}

/** The mail server, real or local. */
export interface Mailer {
  /** Resolves when the server has accepted it; throws `MailRefused` when it never will, and anything else when it may be tried again. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** The server answered 5xx to the address or to the mail itself: trying again would not help. */
export class MailRefused extends Error {}
