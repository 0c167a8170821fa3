import { language } from '@porchlight/contract/language.ts';
import { escape } from '../../texts/email.ts';
import type { CallScript } from './call-script.ts';

/** Seconds in which a key can be pressed after the words. */
const key_seconds = 6;

const xml = (content: string) => `<?xml version="1.0" encoding="UTF-8"?><Response>${content}</Response>`;
/**
 * The characters of XML 1.0, as others become spaces: the telephone service reads nothing of a document with a control character, which
 * the name of a program may have.
 */
const readable = (sentence: string) => sentence.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ' ');
const say = (sentences: string[]) =>
  sentences.map((sentence) => `<Say language="${language}">${escape(readable(sentence))}</Say>`).join('');

/** What Twilio reads aloud (https://www.twilio.com/docs/voice/twiml). `key_url`: where a pressed key is posted to. */
export function callTwiml({ say: sentences, keys }: CallScript, key_url: string): string {
  if (!keys) return xml(`${say(sentences)}<Hangup/>`);
  const words = `${say(sentences)}<Pause length="1"/>${say(sentences)}`;
  return xml(
    `<Gather input="dtmf" numDigits="1" timeout="${key_seconds}" method="POST" action="${escape(key_url)}">${words}</Gather><Hangup/>`,
  );
}

export const hangUpTwiml = xml('<Hangup/>');
