import { MailFailed, type MailFault } from './mail.ts';

interface SmtpError {
  message: string;
  responseCode?: number;
  response?: string;
  /** Nodemailer says `CONN` also for a connection that broke or timed out later. */
  command?: string;
  code?: string;
  /** `SOCKET_TIMEOUT`: the mail server stopped answering midway. */
  timeoutType?: string;
  syscall?: string;
}

/** A refusal at other SMTP commands is about us, and the operator can fix it: a password, our address, a firewall. */
const aboutTheMail = ['RCPT TO', 'DATA'];
/** The connection broke, perhaps because of this recipient. Other errors happen while connecting. */
const brokenConnection = ['ETIMEDOUT', 'ECONNECTION', 'ESOCKET'];
/** Phrases by which a mail server without enhanced status codes refuses to relay. */
const relayDenied = /\brelay|authenticat/i;

/**
 * RFC 5321 4.2, RFC 3463. The enhanced code counts before the status: a relay that does not know us answers 550 5.7.1, and 550 5.1.1 is an
 * unknown recipient. A full mailbox is temporary, even with 552 and 5.2.2.
 */
export function mailFailure(err: unknown): MailFailed {
  const { responseCode: status, response = '', command = '', code } = err as SmtpError;
  if (status === undefined) return new MailFailed(connectionFault(err as SmtpError), code ? { code } : {});
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const facts = { status, ...(enhanced ? { code: enhanced } : {}), ...(command ? { command } : {}) };
  if (status === 421 || !aboutTheMail.includes(command)) return new MailFailed('server', facts);
  return new MailFailed(enhanced ? byCode(enhanced, status) : byStatus(status, response), facts);
}

/** For errors without a reply. Nodemailer also throws errors of its own, about the mail. */
function connectionFault({ command, code = '', timeoutType, syscall, message }: SmtpError): MailFault {
  if (/recipient/i.test(message)) return 'address';
  if (code === 'EMESSAGE' || code === 'ESTREAM') return 'mail';
  if (command !== 'CONN' || !brokenConnection.includes(code)) return 'server';
  const connecting = syscall === 'connect' || (timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT');
  return connecting ? 'server' : 'unclear';
}

function byCode(enhanced: string, status: number): MailFault {
  const [, subject, detail] = enhanced.split('.').map(Number);
  const permanent = status >= 500;
  // Refusals of the sender's address, which is ours.
  if (subject === 1 && (detail === 7 || detail === 8)) return 'us';
  if (subject === 3 || subject === 5 || subject === 7) return 'us';
  if (subject === 2 && detail === 2) return 'recipient';
  if (!permanent) return subject === 1 || subject === 2 ? 'recipient' : 'later';
  if (subject === 1 || (subject === 2 && detail === 1)) return 'address';
  return 'mail';
}

function byStatus(status: number, response: string): MailFault {
  if (status === 552) return 'recipient';
  if (relayDenied.test(response)) return 'us';
  return status >= 500 ? 'mail' : 'later';
}
