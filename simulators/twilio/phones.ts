import type { SharedDocument } from '../ports.ts';
import { twilioSignature } from './signature.ts';

/** Posts a signed form to us, as Twilio would; answers with what it was told. */
export type PostForm = (path: string, form: string, signature: string) => Promise<{ status: number; body: string }>;

/** Numbers (E.164) that have asked for no texts. */
export interface OptedOut {
  numbers: string[];
}

export interface Phones {
  /** Answers whether a number has asked for no texts. */
  blocked(): Promise<(number: string) => boolean>;
  /** Somebody texts us from this number. */
  write(from: string, body: string): Promise<{ status: number; body: string }>;
  /** What became of a text, to where its sender wanted to be told. */
  report(status_url: string, sid: string, status: 'delivered' | 'undelivered'): Promise<void>;
}

const stops = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'];
const starts = ['START', 'UNSTOP'];

/** The phones out there, and Twilio's own bookkeeping of who wants no texts. `reached_at`: us, as Twilio knows us, without a slash at the end. */
export function phonesBehind(
  account: { account_sid: string; auth_token: string; from: string },
  reached_at: string,
  post: PostForm,
  opted_out: SharedDocument<OptedOut>,
): Phones {
  const { account_sid, auth_token, from: ours } = account;
  const signed = (path: string, fields: Record<string, string>) => {
    const form = new URLSearchParams(fields);
    return post(path, form.toString(), twilioSignature(auth_token, reached_at + path, form));
  };
  return {
    blocked: () =>
      opted_out.read(({ numbers }) => {
        const all = new Set(numbers);
        return (number) => all.has(number);
      }),
    async write(from, body) {
      const word = body.trim().toUpperCase();
      if (stops.includes(word) || starts.includes(word)) {
        await opted_out.change((all) => {
          all.numbers = [...all.numbers.filter((number) => number !== from), ...(stops.includes(word) ? [from] : [])];
        });
      }
      return signed('/api/texts/inbound', { AccountSid: account_sid, From: from, To: ours, Body: body, NumMedia: '0' });
    },
    async report(status_url, sid, status) {
      if (!status_url.startsWith(reached_at)) return;
      const fields = { AccountSid: account_sid, From: ours, MessageSid: sid, MessageStatus: status };
      // Twilio does not insist either: whoever is not there is not told.
      await signed(status_url.slice(reached_at.length), fields).catch(() => {});
    },
  };
}
