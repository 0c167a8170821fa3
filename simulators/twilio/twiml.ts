/** What a TwiML answer makes a phone do (https://www.twilio.com/docs/voice/twiml). */
export interface Instructions {
  words: string[];
  /** Where a pressed key is posted to; null if no key is awaited. */
  action: string | null;
}

export function readTwiml(xml: string): Instructions {
  const words = [...xml.matchAll(/<Say\b[^>]*>([^<]*)<\/Say>/g)].map(([, text = '']) => unescape(text));
  const action = /<Gather\b[^>]*\baction="([^"]*)"/.exec(xml)?.[1];
  return { words, action: action === undefined ? null : unescape(action) };
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescape = (text: string) =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (all, code: string | undefined, name: string | undefined) =>
    code === undefined ? (named[name ?? ''] ?? all) : String.fromCodePoint(Number(code)),
  );
