import { expect, it } from 'vitest';
import { callTwiml, hangUpTwiml } from './twiml.ts';

const url = 'https://x.example/api/calls/key?call=1&more=2';

it('a call without keys is read once and ends', () => {
  expect(callTwiml({ say: ['Hello Bob.', 'It’s <over> & "done".'], keys: false }, url)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><Response><Say language="en-US">Hello Bob.</Say><Say language="en-US">It’s &#60;over&#62; &#38; &#34;done&#34;.</Say><Hangup/></Response>',
  );
});

it('a call with a key is read twice, waits for one key, and posts it', () => {
  const xml = callTwiml({ say: ['Press 1.'], keys: true }, url);
  expect(xml.match(/<Say language="en-US">Press 1\.<\/Say>/g)).toHaveLength(2);
  expect(xml).toContain(
    '<Gather input="dtmf" numDigits="1" timeout="6" method="POST" action="https://x.example/api/calls/key?call=1&#38;more=2">',
  );
  expect(xml).toMatch(/<\/Gather><Hangup\/><\/Response>$/);
  expect(xml.length).toBeLessThan(4000);
});

it('nothing but the end of the call', () => {
  expect(hangUpTwiml).toBe('<?xml version="1.0" encoding="UTF-8"?><Response><Hangup/></Response>');
});

it.each([
  ['a control character', 'Any\u0007Desk\u0000', 'Any Desk '],
  ['half of a pair', 'Any\ud83dDesk', 'Any Desk'],
  ['a character that is none', 'Any\uffffDesk', 'Any Desk'],
  ['letters and signs of all kinds', 'Größe 🙂 “x”\n…', 'Größe 🙂 “x”\n…'],
])('a name with %s leaves a document that can be read', (_what, name, expected) => {
  expect(callTwiml({ say: [name], keys: false }, url)).toContain(`>${expected}</Say>`);
});

it('a call with the longest names is under the 4,000 characters of a document', () => {
  const say = [
    'Hello.',
    `${'W'.repeat(200)} was started on ${'W'.repeat(100)}.`,
    `Then call ${'W'.repeat(100)}, and say: Hang up. I am with you.`,
  ];
  expect(callTwiml({ say: ['Nobody has answered yet.', 'Press 1 if you are on it.', ...say], keys: true }, url).length).toBeLessThan(4000);
});
