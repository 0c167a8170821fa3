import { randomUUID } from 'node:crypto';
import { second } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { fakeAddress, goodPassword, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const lookUp = (code: unknown, address: string) => server.call('POST /code', { body: { code }, headers: { 'x-forwarded-for': address } });
const enrol = (code: unknown, address: string) =>
  server.call('POST /agent/enrol', { body: { code, info, enrol_id: randomUUID() }, headers: { 'x-forwarded-for': address } });
const askForHolder = (code: unknown, address: string) =>
  server.call('POST /agent/whose', { body: { code }, headers: { 'x-forwarded-for': address } });
const codeCalls = [lookUp, enrol, askForHolder];
const newCode = async (token: string) =>
  String((await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } })).body.login_code);
let guessCount = 0;
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const guess = () => `GUES-${Array.from(String(10_000 + guessCount++).slice(1), (digit) => alphabet[Number(digit)]).join('')}`;
const flood = async (n: number) => {
  const replies = await Promise.all(
    Array.from({ length: n }, (_, i) => (codeCalls[i % codeCalls.length] ?? lookUp)(guess(), fakeAddress())),
  );
  return replies.map(({ status }) => status);
};
const waitReply = { status: 429, body: { code: 'code_wait' } };

test('A11: of sixty guesses from sixty addresses twenty are looked up, and a user with a valid code still gets in', async () => {
  const { token, email } = await person(server);
  const [firstCode, secondCode, thirdCode] = [await newCode(token), await newCode(token), await newCode(token)];
  const knownAddress = fakeAddress();
  const login = await server.call('POST /login/web', {
    body: { email, password: goodPassword },
    headers: { 'x-forwarded-for': knownAddress },
  });
  expect(login.status).toBe(200);

  const replies = await flood(60);
  expect(replies.filter((status) => status === 404)).toHaveLength(20);
  expect(replies.filter((status) => status === 429)).toHaveLength(40);

  // A code from the address of a previous login works immediately; other addresses wait once, without learning whether the code is valid.
  expect((await enrol(firstCode, knownAddress)).status).toBe(200);
  const unknownAddress = fakeAddress();
  const firstReply = await lookUp(secondCode, unknownAddress);
  expect(firstReply).toMatchObject(waitReply);
  expect(firstReply.headers['retry-after']).toBe('20');
  expect(await lookUp(guess(), fakeAddress())).toMatchObject({ ...waitReply, headers: { 'retry-after': '20' } });
  server.clock.turn(5 * second);
  expect(await lookUp(secondCode, unknownAddress)).toMatchObject({ ...waitReply, headers: { 'retry-after': '15' } });
  server.clock.turn(15 * second);
  await flood(20);
  expect((await lookUp(secondCode, unknownAddress)).status).toBe(200);

  // Each wait allows one attempt; after an unknown code the next wait is four times as long.
  const strangersAddress = fakeAddress();
  expect(await lookUp(guess(), strangersAddress)).toMatchObject(waitReply);
  server.clock.turn(20 * second);
  await flood(20);
  expect((await lookUp(guess(), strangersAddress)).status).toBe(404);
  const laterReply = await lookUp(thirdCode, strangersAddress);
  expect(laterReply).toMatchObject(waitReply);
  expect(laterReply.headers['retry-after']).toBe('80');

  server.clock.turn(10 * 60 * second);
  expect((await enrol(thirdCode, fakeAddress())).status).toBe(200);
});

test('A11: valid codes do not use up the capacity for lookups', async () => {
  server.clock.turn(10 * 60 * second);
  const { token } = await person(server);
  const code = await newCode(token);
  for (let i = 0; i < 30; i++) expect((await (i % 2 ? lookUp : askForHolder)(code, fakeAddress())).status).toBe(200);
  expect((await lookUp(guess(), fakeAddress())).status).toBe(404);
});
