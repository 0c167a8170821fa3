import type { TwilioAccount } from './twilio.ts';
import { twilioSignature } from './twilio-signature.ts';

/** Posts a signed form to us, as Twilio would; answers with what it was told. */
export type PostForm = (path: string, form: string, signature: string) => Promise<{ status: number; body: string }>;

export interface Phones {
  /** Has this number asked for no texts? */
  blocked(number: string): boolean;
  /** Somebody texts us from this number. */
  write(from: string, body: string): Promise<{ status: number; body: string }>;
  /** What became of a text, to where its sender wanted to be told. */
  report(status_url: string, sid: string, status: 'delivered' | 'undelivered'): Promise<void>;
}

const stops = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'];
const starts = ['START', 'UNSTOP'];

/** The phones out there, and Twilio's own bookkeeping of who wants no texts. `reached_at`: us, as Twilio knows us, without a slash at the end. */
export function phonesBehind(
  account: Pick<TwilioAccount, 'account_sid' | 'auth_token' | 'from'>,
  reached_at: string,
  post: PostForm,
): Phones {
  const { account_sid, auth_token, from: ours } = account;
  const block = new Set<string>();
  const signed = (path: string, fields: Record<string, string>) => {
    const form = new URLSearchParams(fields);
    return post(path, form.toString(), twilioSignature(auth_token, reached_at + path, form));
  };
  return {
    blocked: (number) => block.has(number),
    write(from, body) {
      const word = body.trim().toUpperCase();
      if (stops.includes(word)) block.add(from);
      if (starts.includes(word)) block.delete(from);
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
