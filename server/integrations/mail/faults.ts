import { MailFailed, type MailFault } from './mail.ts';

/** What nodemailer throws. */
interface SmtpError {
  message: string;
  responseCode?: number;
  response?: string;
  /** `CONN` also for a line that was cut or fell silent later on. */
  command?: string;
  code?: string;
  /** What took too long: `SOCKET_TIMEOUT` is silence in the middle. */
  timeoutType?: string;
  /** `connect`: the operating system found nobody there. */
  syscall?: string;
}

/** Where an answer can be about the recipient or the mail. Anywhere else it is about us, and an operator can mend it: a password, our address, a closed door. */
const aboutTheMail = ['RCPT TO', 'DATA'];
/** The line broke or fell silent, perhaps because of this one recipient. Any other error of the line is one of connecting. */
const brokenOff = ['ETIMEDOUT', 'ECONNECTION', 'ESOCKET'];
/** Words by which a server that gives no enhanced code says that it does not let us send. */
const relaying = /\brelay|authenticat/i;

/**
 * Which fault it was (RFC 5321 4.2, RFC 3463). The enhanced code counts before the status: a relay that does not know us says 550 5.7.1, and 550 5.1.1 is
 * a person who is not there; a full mailbox passes, even where a server says that it does not (552, 5.2.2).
 */
export function mailFailure(err: unknown): MailFailed {
  const { responseCode: status, response = '', command = '', code } = err as SmtpError;
  if (status === undefined) return new MailFailed(faultOfLine(err as SmtpError), code ? { code } : {});
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const facts = { status, ...(enhanced ? { code: enhanced } : {}), ...(command ? { command } : {}) };
  if (status === 421 || !aboutTheMail.includes(command)) return new MailFailed('server', facts);
  return new MailFailed(enhanced ? byCode(enhanced, status) : byStatus(status, response), facts);
}

/** Without an answer: was the server there at all? What is not of the line is about this mail, which the library itself found wrong. */
function faultOfLine({ command, code = '', timeoutType, syscall, message }: SmtpError): MailFault {
  if (/recipient/i.test(message)) return 'address';
  if (code === 'EMESSAGE' || code === 'ESTREAM') return 'mail';
  if (command !== 'CONN' || !brokenOff.includes(code)) return 'server';
  const connecting = syscall === 'connect' || (timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT');
  return connecting ? 'server' : 'unclear';
}

function byCode(enhanced: string, status: number): MailFault {
  const [, subject, detail] = enhanced.split('.').map(Number);
  const forGood = status >= 500;
  // The sender's address, which is ours.
  if (subject === 1 && (detail === 7 || detail === 8)) return 'us';
  if (subject === 3 || subject === 5 || subject === 7) return 'us';
  if (subject === 2 && detail === 2) return 'recipient';
  if (!forGood) return subject === 1 || subject === 2 ? 'recipient' : 'later';
  if (subject === 1 || (subject === 2 && detail === 1)) return 'address';
  return 'mail';
}

function byStatus(status: number, response: string): MailFault {
  if (status === 552) return 'recipient';
  if (relaying.test(response)) return 'us';
  return status >= 500 ? 'mail' : 'later';
}
