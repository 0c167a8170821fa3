import { brand } from '@porchlight/contract/brand.ts';
import { createTransport } from 'nodemailer';

export interface MailServer {
  smtp_url: string;
  mail_from: string;
}

/** `answer`: of the mail server, or the reason why there is none. */
export interface TestMailResult {
  accepted: boolean;
  answer: string;
}

/** Sends one email at once, past the queue, because what is asked for is the mail server's answer. `limitMs`: for each step. */
export async function sendTestMail({ smtp_url, mail_from }: MailServer, to: string, limitMs: number): Promise<TestMailResult> {
  const transport = createTransport({
    url: smtp_url,
    ...{ connectionTimeout: limitMs, greetingTimeout: limitMs, socketTimeout: limitMs },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  try {
    const { response } = await transport.sendMail({
      from: mail_from,
      to,
      subject: `A test from ${brand.name}`,
      text: `The operator of ${brand.name} has sent this email to find out whether emails arrive. There is nothing to do.\n`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return { accepted: true, answer: response };
  } catch (err) {
    const { response, message, code } = err as { response?: string; message?: string; code?: string };
    return { accepted: false, answer: response || message || code || String(err) };
  } finally {
    transport.close();
  }
}

/** The sentence has the mail server's answer, which an operator passes on to their mail provider. */
export function testMailText({ accepted, answer }: TestMailResult, to: string): string {
  const server = `The mail server answered: ${answer}`;
  return accepted
    ? `The mail server has accepted an email to ${to}; see whether it arrives, and not as spam. ${server}`
    : `The mail server has not accepted an email to ${to}. ${server}`;
}

export const noMailServer = 'SMTP_URL is not set, so emails go to the local mailbox and reach nobody. Set SMTP_URL and MAIL_FROM.';
