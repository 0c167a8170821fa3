import { escape } from '../../lib/email.ts';
import type { CallScript } from './call-script.ts';

/** Seconds in which a key can be pressed after the words. */
const key_seconds = 6;

const xml = (content: string) => `<?xml version="1.0" encoding="UTF-8"?><Response>${content}</Response>`;
const say = (sentences: string[]) => sentences.map((sentence) => `<Say language="en-US">${escape(sentence)}</Say>`).join('');

/** What Twilio reads aloud (https://www.twilio.com/docs/voice/twiml). `key_url`: where a pressed key is posted to. */
export function callTwiml({ say: sentences, keys }: CallScript, key_url: string): string {
  if (!keys) return xml(`${say(sentences)}<Hangup/>`);
  const words = `${say(sentences)}<Pause length="1"/>${say(sentences)}`;
  return xml(
    `<Gather input="dtmf" numDigits="1" timeout="${key_seconds}" method="POST" action="${escape(key_url)}">${words}</Gather><Hangup/>`,
  );
}

export const hangUpTwiml = xml('<Hangup/>');
