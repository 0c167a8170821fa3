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
