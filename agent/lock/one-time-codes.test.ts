import { randomBytes, randomUUID } from 'node:crypto';
import { type CodePurpose, oneTimeCodes, windowOf } from '@porchlight/contract/one-time-codes.ts';
import { oneTimeCode } from '@porchlight/definitions/one-time-code.ts';
import { describe, expect, test } from 'vitest';
import { openStore } from '../state/store.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { acceptedWindows, type CodeTimes, oneTimeCodeCheck } from './one-time-codes.ts';

const { window: length } = oneTimeCodes;
const at = (window: number) => window * length + 60_000;

describe('[P10.7] the windows whose codes are accepted', () => {
  const cases: [string, CodeTimes, number[]][] = [
    ['clock and server agree', { wall: at(100), newest: at(98), now: at(100) }, [99, 100, 101]],
    ['the server has just signed', { wall: at(100), newest: at(100), now: at(100) }, [99, 100, 101]],
    ['the clock was set back by a day', { wall: at(100 - 144), newest: at(98), now: at(100) }, [97, 98, 99, 100, 101]],
    ['the clock is three hours ahead', { wall: at(118), newest: at(98), now: at(100) }, [99, 100, 101, 117, 118, 119]],
    ['the server was never reached', { wall: at(100), newest: 0, now: 0 }, [-1, 0, 1, 99, 100, 101]],
    [
      'the server was away for a day, and the agent was restarted',
      { wall: at(244), newest: at(100), now: at(100) },
      [99, 100, 101, 243, 244, 245],
    ],
  ];
  test.each(cases)('%s', (_what, times, windows) => {
    expect(acceptedWindows(times).toSorted((a, b) => a - b)).toEqual(windows);
  });
});

async function setUp() {
  const folder = await temporaryFolder();
  const store = await openStore(folder);
  const [device, id, secret] = [randomUUID(), randomUUID(), randomBytes(32).toString('base64url')];
  await store.setCodeSecret({ device, id, secret });
  const times: CodeTimes = { wall: at(100), newest: at(99), now: at(100) };
  const codes = oneTimeCodeCheck({ store, device: () => device, times: () => times });
  const codeFor = (purpose: CodePurpose, program = '', { window = 100, number = 0, of = device } = {}) =>
    oneTimeCode(secret, { device: of, purpose, program }, window, number);
  const check = async (purpose: CodePurpose, code: string, program = '') => (await codes.checker(purpose, program))?.(code);
  return { folder, store, device, times, codes, codeFor, check, secret };
}

describe('[P10.7] a one-time code', () => {
  test('it opens exactly its purpose, once, and another number of the same window once more', async () => {
    const { codeFor, check } = await setUp();
    const code = codeFor('pause');
    for (const purpose of ['uninstall', 'link', 'allow'] as const) expect(await check(purpose, code)).toBe(false);
    expect(await check('pause', code)).toBe(true);
    expect(await check('pause', code)).toBe(false);
    expect(await check('pause', codeFor('pause', '', { number: 9 }))).toBe(true);
    expect(await check('pause', codeFor('pause', '', { number: 10 }))).toBe(false);
  });

  test('it is for one device and one program', async () => {
    const { codeFor, check } = await setUp();
    expect(await check('allow', codeFor('allow', 'anydesk'), 'teamviewer')).toBe(false);
    expect(await check('allow', codeFor('allow', 'anydesk', { of: randomUUID() }), 'anydesk')).toBe(false);
    expect(await check('allow', codeFor('allow', 'anydesk'), 'anydesk')).toBe(true);
  });

  test('a used one stays used over a restart, and when the clock is set back to its window hours later', async () => {
    const { folder, device, times, codeFor, check } = await setUp();
    const code = codeFor('pause');
    expect(await check('pause', code)).toBe(true);
    const later = await openStore(folder);
    const again = oneTimeCodeCheck({ store: later, device: () => device, times: () => times });
    expect(await (await again.checker('pause', ''))?.(code)).toBe(false);
    // Another one is used two hours later without a server, then the clock goes back.
    Object.assign(times, { wall: at(112), now: at(112) });
    expect(await (await again.checker('link', ''))?.(codeFor('link', '', { window: 112 }))).toBe(true);
    Object.assign(times, { wall: at(100), now: at(100) });
    expect(await (await again.checker('pause', ''))?.(code)).toBe(false);
    expect(await (await again.checker('pause', ''))?.(codeFor('pause', '', { number: 1 }))).toBe(true);
  });

  test('one from before the newest signed time is refused, also after a restart that forgot that time', async () => {
    const { times, codeFor, check } = await setUp();
    times.newest = at(101);
    expect(await check('pause', codeFor('pause', '', { window: 99 }))).toBe(false);
    expect(await check('link', codeFor('link', '', { window: 101 }))).toBe(true);
    times.newest = at(99);
    expect(await check('pause', codeFor('pause', '', { window: 99, number: 1 }))).toBe(false);
    expect(await check('pause', codeFor('pause'))).toBe(true);
    expect(windowOf(times.newest)).toBe(99);
  });

  test('it lasts as long as the guardian’s page says while the server signs every half minute: to the end of the next window', async () => {
    const { times, codeFor, check } = await setUp();
    const untilEnd = 102 * length;
    Object.assign(times, { wall: untilEnd - 1, newest: untilEnd - 1000, now: untilEnd - 1 });
    expect(await check('pause', codeFor('pause'))).toBe(true);
    Object.assign(times, { wall: untilEnd, newest: untilEnd - 1000, now: untilEnd });
    expect(await check('pause', codeFor('pause', '', { number: 1 }))).toBe(false);
  });

  test('without a secret, or with the secret of another device, there is nothing to check', async () => {
    const { store, device, codes } = await setUp();
    expect(await codes.checker('pause', '')).not.toBeNull();
    await store.setCodeSecret({ device: randomUUID(), id: randomUUID(), secret: 'x'.repeat(43) });
    expect(await codes.checker('pause', '')).toBeNull();
    expect(device).toBeTruthy();
  });

  test('the file of the secret does not contain it', async () => {
    const { folder, secret, store } = await setUp();
    const { readFile } = await import('node:fs/promises');
    expect(await readFile(`${folder}/code-secret.json`, 'utf8')).not.toContain(secret);
    expect((await store.codeSecret())?.secret).toBe(secret);
  });
});
