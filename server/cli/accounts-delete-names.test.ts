import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buysByCalls, registersByCalls } from '../testing/calls-of-people.ts';
import { databaseText } from '../testing/database-text.ts';
import { simulatorTables } from '../testing/simulator-tables.ts';
import { detection, goodPassword, guardsByCalls, linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';
import { runCommand } from './run.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({}, undefined, { storedShop: true });
});
afterAll(() => server.close());

const remove = (email: string) => {
  const { database_url: DATABASE_URL, config } = server;
  const env = {
    DATABASE_URL,
    DATA_DIR: config.data_dir,
    PUBLIC_URL: config.public_url,
    SECRET_KEY: 'a secret key for tests, thirty-two characters',
  };
  return runCommand(['accounts', 'delete', '--email', email, '--yes', '--during-incident'], () => env, server.clock);
};

test('[P13.2] after a deletion no table has the names, addresses or numbers of the account’s people, not even in counts of attempts and done jobs', async () => {
  const [email, guardian_email, invited_email, number] = ['quilla@example.org', 'tamsin@example.net', 'orsolo@example.net', '+12025550177'];
  const { token } = await registersByCalls(server, 'Quilla Veremond', email);
  await buysByCalls(server, token);
  const { agent } = await linkedDevice(server, token, 'Veremond-Den');
  await guardsByCalls(server, token, 'Tamsin Oakhollow', guardian_email);
  const { body: invited } = await server.call('POST /web/create-guardian', {
    token,
    body: { name: 'Orsolo Brinewater', email: invited_email },
  });
  server.clock.turn(3_600_000);
  const wrong = { email, password: 'not the password' };
  const headers = { 'x-forwarded-for': '198.51.100.213' };
  expect((await server.call('POST /login/web', { body: wrong, headers })).status).toBe(400);
  for (const address of [email, guardian_email]) {
    await server.call('POST /forgot-password', { body: { email: address }, headers });
    await server.call('POST /guardian-link', { body: { email: address }, headers });
  }
  await server.call(`POST /web/guardians/${invited.uuid}/resend`, { token });
  await server.call('PATCH /web/profile', { token, body: { phone_number: number, current_password: goodPassword } });
  await server.call('POST /web/send-phone-code', { token });
  const code = /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0];
  expect((await server.call('POST /web/verify-phonenumber', { token, body: { code } })).status).toBe(200);
  await server.textFrom(number, '1');
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
  expect(await server.textsTo(number)).toHaveLength(2);
  const counts = async () => (await server.db.selectFrom('rate_counts').select('key').execute()).map(({ key }) => key).join('\n');
  for (const action of ['login-email', 'guardian-target', 'guardian-link-email', 'forgot-email', 'phone-target', 'text-reply'])
    expect(await counts()).toContain(`${action}:`);

  expect((await remove(email)).code).toBe(0);

  await server.app.worker.idle();
  expect(await counts()).not.toContain('login-email:');
  const theirs = [
    email,
    guardian_email,
    invited_email,
    number,
    '2025550177',
    '198.51.100.213',
    'Quilla',
    'Veremond',
    'Tamsin',
    'Oakhollow',
    'Orsolo',
    'Brinewater',
  ];
  const rows = (await databaseText(server)).split('\n').filter((row) => !simulatorTables.some((table) => row.startsWith(`${table} `)));
  expect(
    theirs.flatMap((text) => rows.filter((row) => row.toLowerCase().includes(text.toLowerCase())).map((row) => `${text}: ${row}`)),
  ).toEqual([]);
});

test('[P13.2] after a deletion no table has the number of a guardian to whom a code could not be texted', async () => {
  const refusedNumber = '+15005550009';
  const { token, email } = await person(server);
  const guardian = await guardsByCalls(server, token, 'Bob', `${randomUUID()}@example.org`);
  const headers = guardian.session;
  expect((await server.call(`PATCH /guardian/${guardian.uuid}`, { headers, body: { phone_number: refusedNumber } })).status).toBe(200);
  expect((await server.call(`POST /guardian/${guardian.uuid}/send-phone-code`, { headers })).status).toBe(200);
  await server.app.worker.idle();
  const withNumber = async () => (await databaseText(server)).split('\n').filter((row) => row.includes(refusedNumber.slice(1)));
  const failed = server.db.selectFrom('jobs').select('why').where('kind', '=', 'sms').where('failed_at', 'is not', null);
  expect(await failed.execute()).toEqual([{ why: 'refused' }]);
  expect((await withNumber()).map((row) => row.split(' ')[0])).toContain('guardians');
  expect((await remove(email)).code).toBe(0);
  await server.app.worker.idle();
  expect(await withNumber()).toEqual([]);
});
