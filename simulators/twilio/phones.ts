import type { SharedDocument } from '../ports.ts';
import { twilioSignature } from './signature.ts';

/** Posts a signed form to the server, as Twilio would. */
export type PostForm = (path: string, form: string, signature: string) => Promise<{ status: number; body: string }>;

/** Posts a form to one of the server's own addresses, with the account's fields and its signature. */
export type SignedPost = (url: string, fields: Record<string, string>) => Promise<{ status: number; body: string }>;

/** Phone numbers (E.164) that opted out. */
export interface OptedOut {
  numbers: string[];
}

export interface Phones {
  blocked(): Promise<(number: string) => boolean>;
  write(phoneNumber: string, body: string): Promise<{ status: number; body: string }>;
  report(status_url: string, sid: string, status: 'delivered' | 'undelivered'): Promise<void>;
}

const stops = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];
const starts = ['START', 'UNSTOP', 'YES'];

/**
 * The simulated phones and Twilio's list of numbers that opted out. `reached_at`: the server's address as Twilio knows it, without a slash
 * at the end.
 */
export function phonesBehind(
  account: { account_sid: string; auth_token: string; from: string },
  reached_at: string,
  post: PostForm,
  opted_out: SharedDocument<OptedOut>,
): Phones {
  const { account_sid, from } = account;
  const signed = signedPost(account, reached_at, post);
  return {
    blocked: () =>
      opted_out.read(({ numbers }) => {
        const optedOutNumbers = new Set(numbers);
        return (number) => optedOutNumbers.has(number);
      }),
    async write(phoneNumber, body) {
      const word = body.trim().toUpperCase();
      if (stops.includes(word) || starts.includes(word)) {
        await opted_out.change((optedOutList) => {
          optedOutList.numbers = [
            ...optedOutList.numbers.filter((number) => number !== phoneNumber),
            ...(stops.includes(word) ? [phoneNumber] : []),
          ];
        });
      }
      return signed(`${reached_at}/api/texts/inbound`, { AccountSid: account_sid, From: phoneNumber, To: from, Body: body, NumMedia: '0' });
    },
    async report(status_url, sid, status) {
      const fields = { AccountSid: account_sid, From: from, MessageSid: sid, MessageStatus: status };
      // A failed report is not repeated: Twilio does not retry either.
      await signed(status_url, fields).catch(() => {});
    },
  };
}

/** Addresses of other servers are not called: the simulator reaches only its own. */
export function signedPost(account: { auth_token: string }, reached_at: string, post: PostForm): SignedPost {
  return async (url, fields) => {
    if (!url.startsWith(`${reached_at}/`)) throw new Error('that is not an address of this server');
    const form = new URLSearchParams(fields);
    return post(url.slice(reached_at.length), form.toString(), twilioSignature(account.auth_token, url, form));
  };
}
