import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storedDocument } from '../testing/stored.ts';
import { simulatedCalls } from './calls.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const asks = '<Response><Gather action="https://x.example/key?call=1&#38;more=2"><Say>Press 1.</Say></Gather><Hangup/></Response>';
const thanks = '<Response><Say>You’re &lt;on&gt; it.</Say><Hangup/></Response>';

/** A telephone service, and the forms that it posted. */
function service(document = storedDocument({ calls: [] }), status = 200) {
  const posted: string[] = [];
  const calls = simulatedCalls(
    document,
    async (url, fields) => {
      posted.push([new URL(url).pathname, fields.CallStatus, fields.AnsweredBy, fields.Digits].filter(Boolean).join(' '));
      if (status === 0) throw new Error('the line is dead');
      return { status, body: url.includes('key') ? thanks : asks };
    },
    true,
  );
  const place = async (form: Record<string, string> = {}) => {
    const fields = { To: '+12025550143', Url: 'https://x.example/words?call=1', StatusCallback: 'https://x.example/status?call=1' };
    const body = new URLSearchParams({ ...fields, Timeout: '25', ...form });
    for (const event of ['initiated', 'answered', 'completed']) body.append('StatusCallbackEvent', event);
    const call = await calls.place('CA1', body);
    await calls.ring(call);
    return call.id;
  };
  const newest = async () => (await calls.list()).at(-1);
  return { calls, posted, place, newest, document };
}

test('a phone that is picked up hears the words, and a pressed key is posted to their address', async () => {
  const { calls, posted, place, newest } = service();
  const id = await place();
  await calls.press(id, '1');
  await calls.answer(id);
  expect(await newest()).toMatchObject({ state: 'talking', words: ['Press 1.'], action: 'https://x.example/key?call=1&more=2' });
  await calls.answer(id);
  await calls.press(id, '1');
  await calls.press(id, '9');
  await calls.hangUp(id);
  expect(await newest()).toMatchObject({ state: 'ended', result: 'completed', words: ['Press 1.', 'You’re <on> it.'], pressed: ['1'] });
  expect(posted).toEqual([
    '/status initiated',
    '/status in-progress',
    '/words in-progress human',
    '/key in-progress human 1',
    '/status completed',
  ]);
});

test('voicemail hears the words, awaits no key, and ends', async () => {
  const { calls, posted, place, newest } = service();
  const id = await place();
  await calls.voicemail(id);
  await calls.press(id, '1');
  expect(await newest()).toMatchObject({ state: 'ended', voicemail: true, words: ['Press 1.'], pressed: [] });
  expect(posted.slice(2)).toEqual(['/words in-progress machine_end_beep', '/status completed']);
});

test('a call that nobody picks up rings for its timeout, and a call without a key ends a minute after it', async () => {
  const { calls, posted, place, newest } = service();
  await place();
  await vi.advanceTimersByTimeAsync(24_999);
  expect(await newest()).toMatchObject({ state: 'ringing' });
  await vi.advanceTimersByTimeAsync(1);
  expect(await newest()).toMatchObject({ state: 'ended', result: 'no-answer' });
  expect(posted.at(-1)).toBe('/status no-answer');
  await calls.answer(await place());
  await vi.advanceTimersByTimeAsync(84_999);
  expect(await newest()).toMatchObject({ state: 'talking' });
  await vi.advanceTimersByTimeAsync(1);
  expect(await newest()).toMatchObject({ state: 'ended', result: 'completed' });
});

test('after a restart a phone goes on ringing for what is left, and its end is reported once the server hears it', async () => {
  const first = service();
  await first.place();
  first.calls.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await first.newest()).toMatchObject({ state: 'ringing' });
  const second = service(first.document);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(second.posted).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await second.newest()).toMatchObject({ state: 'ended', result: 'no-answer' });
  expect(second.posted).toEqual(['/status no-answer']);
});

test.each([500, 0])('a server that answers with status %s is replaced by words about an error, and the call ends', async (status) => {
  const { calls, place, newest } = service(undefined, status);
  await calls.answer(await place());
  expect(await newest()).toMatchObject({ state: 'ended', words: ['An application error has occurred. Goodbye.'] });
});
