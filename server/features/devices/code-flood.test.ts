import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { fakeAddress, goodPassword, person, type TestServer, testServer } from '../../testing/world.ts';

/** Codes are guessed no faster from many addresses than from one (A11). */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const second = 1000;
const look = (code: unknown, address: string) => server.call('POST /code', { body: { code }, headers: { 'x-forwarded-for': address } });
const enrol = (code: unknown, address: string) =>
  server.call('POST /agent/enrol', { body: { code, info }, headers: { 'x-forwarded-for': address } });
const whose = (code: unknown, address: string) =>
  server.call('POST /agent/whose', { body: { code }, headers: { 'x-forwarded-for': address } });
const ways = [look, enrol, whose];
const newCode = async (token: string) =>
  String((await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } })).body.login_code);
let tried = 0;
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
/** A code that nobody has: another one each time. */
const guess = () => `GUES-${Array.from(String(10_000 + tried++).slice(1), (digit) => alphabet[Number(digit)]).join('')}`;
const flood = async (n: number) => {
  const answers = await Promise.all(Array.from({ length: n }, (_, i) => (ways[i % ways.length] ?? look)(guess(), fakeAddress())));
  return answers.map(({ status }) => status);
};
const wait = { status: 429, body: { code: 'code_wait' } };

test('A11: of sixty guesses from sixty addresses twenty are looked up, and a family with the right code gets in all the same', async () => {
  const { token, email } = await person(server);
  const [here, there, third] = [await newCode(token), await newCode(token), await newCode(token)];
  const home = fakeAddress();
  const login = await server.call('POST /login/web', { body: { email, password: goodPassword }, headers: { 'x-forwarded-for': home } });
  expect(login.status).toBe(200);

  const answers = await flood(60);
  expect(answers.filter((status) => status === 404)).toHaveLength(20);
  expect(answers.filter((status) => status === 429)).toHaveLength(40);

  // Where somebody has logged in, at once; anywhere else after one wait, in which nobody learns whether the code is right.
  expect((await enrol(here, home)).status).toBe(200);
  const away = fakeAddress();
  const first = await look(there, away);
  expect(first).toMatchObject(wait);
  expect(first.headers['retry-after']).toBe('20');
  expect(await look(guess(), fakeAddress())).toMatchObject({ ...wait, headers: { 'retry-after': '20' } });
  server.clock.turn(5 * second);
  expect(await look(there, away)).toMatchObject({ ...wait, headers: { 'retry-after': '15' } });
  server.clock.turn(15 * second);
  // It goes on: the places that have become free are taken.
  await flood(20);
  expect((await look(there, away)).status).toBe(200);

  // One wait is one code; whoever typed an unknown one waits four times as long.
  const stranger = fakeAddress();
  expect(await look(guess(), stranger)).toMatchObject(wait);
  server.clock.turn(20 * second);
  await flood(20);
  expect((await look(guess(), stranger)).status).toBe(404);
  const again = await look(third, stranger);
  expect(again).toMatchObject(wait);
  expect(again.headers['retry-after']).toBe('80');

  // Once it is over, nobody waits.
  server.clock.turn(10 * 60 * second);
  expect((await enrol(third, fakeAddress())).status).toBe(200);
});

test('A11: right codes take no place, however many are typed', async () => {
  server.clock.turn(10 * 60 * second);
  const { token } = await person(server);
  const code = await newCode(token);
  for (let i = 0; i < 30; i++) expect((await (i % 2 ? look : whose)(code, fakeAddress())).status).toBe(200);
  expect((await look(guess(), fakeAddress())).status).toBe(404);
});
