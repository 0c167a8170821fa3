import { randomUUID } from 'node:crypto';
import { type CodePurpose, type CodeSecret, codePurpose, oneTimeCodes, windowOf } from '@porchlight/contract/one-time-codes.ts';
import { day, hour } from '@porchlight/contract/time.ts';
import { findOneTimeCode } from '@porchlight/definitions/one-time-code.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseText } from '../../testing/database-text.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { activeGuardian, detection, linkedDevice, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function family(options?: { guardian?: boolean; proven?: boolean }) {
  const ann = await incidentFamily(server, options);
  const codes = async () => (await server.call('GET /agent/code-secret', { token: ann.device.agent })).body as unknown as CodeSecret;
  return {
    ...ann,
    open: (purpose: CodePurpose, more: object = {}) => ann.asBob('POST /guardian/:id/codes', { device: ann.device.uuid, purpose, ...more }),
    /** What the agent finds, as it verifies a code without the server. */
    found: async (code: unknown, purpose: CodePurpose, program = '') => {
      const now = windowOf(server.clock.now().getTime());
      const { secret } = await codes();
      const found = findOneTimeCode(secret, { device: ann.device.uuid, purpose, program }, String(code), [now - 1, now, now + 1]);
      return found && { window: found.window - now, number: found.number };
    },
    reports: (more: object) =>
      server.call('POST /agent/detections', { token: ann.device.agent, body: { detections: [detection(server, more)] } }),
  };
}
/** Another guardian of the account, who may answer from now on. */
const carolOf = async (ann: Awaited<ReturnType<typeof family>>) => {
  const carol = await activeGuardian(server, ann.token, 'Carol Example');
  server.clock.turn(72 * hour);
  return carol;
};

test.each(codePurpose.options)('[P10.7] a guardian gets a code to %s that the agent verifies without the server', async (purpose) => {
  const ann = await family();
  await ann.stops();
  const program = purpose === 'allow' ? 'anydesk' : '';
  const { status, body } = await ann.open(purpose, purpose === 'allow' ? { identifier: 'anydesk' } : {});
  const now = server.clock.now().getTime();
  const until = new Date((windowOf(now) + 2) * oneTimeCodes.window).toISOString();
  const name = purpose === 'allow' ? 'AnyDesk' : null;
  const expected = { code: expect.stringMatching(/^\d{8}$/), purpose, device_name: 'Den PC', program: name, until };
  expect([status, body]).toEqual([200, expected]);
  expect(await ann.found(body.code, purpose, program)).toEqual({ window: 0, number: 0 });
  for (const other of codePurpose.options.filter((one) => one !== purpose)) expect(await ann.found(body.code, other)).toBeNull();
});

test('[P10.7] `until` is the end of the last window in which the agent takes the code', async () => {
  const ann = await family();
  const { body } = await ann.open('pause');
  const left = Date.parse(String(body.until)) - server.clock.now().getTime();
  expect(left).toBeGreaterThan(oneTimeCodes.window);
  expect(left).toBeLessThanOrEqual(2 * oneTimeCodes.window);
  server.clock.turn(left - 1);
  expect(await ann.found(body.code, 'pause')).toEqual({ window: -1, number: 0 });
  server.clock.turn(1);
  expect(await ann.found(body.code, 'pause')).toBeNull();
});

test('[P10.7] each code of a window has the next number, at most ten, and other purposes, programs, devices and windows have their own', async () => {
  const ann = await family();
  await ann.stops();
  await ann.reports({ name: 'TeamViewer', identifier: 'teamviewer', details: 'C:\\TeamViewer.exe' });
  const attic = await linkedDevice(server, ann.token, 'Attic PC');
  const numbers: (number | undefined)[] = [];
  for (let n = 0; n < oneTimeCodes.per_window; n++) numbers.push((await ann.found((await ann.open('pause')).body.code, 'pause'))?.number);
  expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await ann.open('pause')).toMatchObject({ status: 429, body: { code: 'codes_spent' } });
  const numberOf = async (purpose: CodePurpose, identifier?: string) =>
    ann.found((await ann.open(purpose, identifier ? { identifier } : {})).body.code, purpose, identifier);
  expect(await numberOf('uninstall')).toMatchObject({ number: 0 });
  expect(await numberOf('allow', 'anydesk')).toMatchObject({ number: 0 });
  expect(await numberOf('allow', 'teamviewer')).toMatchObject({ number: 0 });
  expect(await numberOf('allow', 'teamviewer')).toMatchObject({ number: 1 });
  expect((await ann.open('pause', { device: attic.uuid })).status).toBe(200);
  server.clock.turn(oneTimeCodes.window);
  expect(await numberOf('pause')).toEqual({ window: 0, number: 0 });
});

test('[P10.7] codes that two guardians open at once are different', async () => {
  const ann = await family();
  const carol = await carolOf(ann);
  const asCarol = () =>
    server.call(`POST /guardian/${carol.uuid}/codes`, { headers: carol.session, body: { device: ann.device.uuid, purpose: 'pause' } });
  const replies = await Promise.all([ann.open('pause'), asCarol(), ann.open('pause'), asCarol(), ann.open('pause'), asCarol()]);
  const numbers = await Promise.all(replies.map(async ({ body }) => (await ann.found(body.code, 'pause'))?.number));
  expect(numbers.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
});

test('[P10.7] a guardian opens at most twenty codes an hour, and another guardian still can', async () => {
  const ann = await family();
  const carol = await carolOf(ann);
  for (const purpose of ['pause', 'uninstall'] as const) {
    for (let n = 0; n < 10; n++) expect((await ann.open(purpose)).status).toBe(200);
  }
  expect(await ann.open('link')).toMatchObject({ status: 429, body: { code: 'too_many' } });
  const body = { device: ann.device.uuid, purpose: 'link' };
  expect((await server.call(`POST /guardian/${carol.uuid}/codes`, { headers: carol.session, body })).status).toBe(200);
  server.clock.turn(hour);
  expect((await ann.open('link')).status).toBe(200);
});

test('[P10.7] a code for a device is found by its id in capital letters, too', async () => {
  const ann = await family();
  const { body } = await ann.open('pause', { device: ann.device.uuid.toUpperCase() });
  expect(await ann.found(body.code, 'pause')).toEqual({ window: 0, number: 0 });
});

describe('[P10.7] a code is opened only for a device of the account', () => {
  test('a device that is unknown, of another account or removed is not found, and nobody is notified', async () => {
    const [ann, eve] = [await family(), await family()];
    const gone = await linkedDevice(server, ann.token, 'Gone PC');
    await ann.call(`DELETE /web/devices/${gone.uuid}`);
    for (const device of [randomUUID(), eve.device.uuid, gone.uuid])
      expect(await ann.open('pause', { device })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await server.mailsTo(eve.email)).map(({ subject }) => subject)).not.toContainEqual(expect.stringContaining('opened a code'));
    // Not even a secret is made.
    for (const table of ['one_time_codes', 'code_secrets'] as const)
      expect(await server.db.selectFrom(table).select('device').where('device', '=', eve.device.uuid).execute()).toEqual([]);
  });
});

describe('[P10.7] a code allows only a program that was stopped on that device within seven days', () => {
  const rejected = { status: 404, body: { code: 'not_found' } };

  test('a program that was never stopped there, or none, is not found', async () => {
    const ann = await family();
    await ann.stops();
    const attic = await linkedDevice(server, ann.token, 'Attic PC');
    expect(await ann.open('allow')).toMatchObject(rejected);
    expect(await ann.open('allow', { identifier: 'teamviewer' })).toMatchObject(rejected);
    expect(await ann.open('allow', { identifier: 'anydesk', device: attic.uuid })).toMatchObject(rejected);
    expect((await ann.open('allow', { identifier: 'anydesk' })).status).toBe(200);
  });

  test('a program that was stopped seven days ago is found, and a program that was stopped before that is not', async () => {
    const ann = await family();
    await ann.stops();
    server.clock.turn(7 * day);
    expect((await ann.open('allow', { identifier: 'anydesk' })).status).toBe(200);
    server.clock.turn(hour);
    expect(await ann.open('allow', { identifier: 'anydesk' })).toMatchObject(rejected);
  });

  test('a program that ran and was not stopped is not found, until it is stopped', async () => {
    const ann = await family();
    await ann.reports({ blocked: false });
    expect(await ann.open('allow', { identifier: 'anydesk' })).toMatchObject(rejected);
    // It counts into the same alert.
    await ann.reports({ blocked: true });
    expect((await ann.open('allow', { identifier: 'anydesk' })).status).toBe(200);
  });

  test('a site and a program that can never be allowed are not found', async () => {
    const ann = await family();
    await ann.reports({ name: 'anydesk.com', details: 'anydesk.com' });
    await ann.reports({ name: 'Rodex', identifier: 'rodex-rmm', details: 'C:\\rodex.exe' });
    expect(await ann.open('allow', { identifier: 'anydesk' })).toMatchObject(rejected);
    expect(await ann.open('allow', { identifier: 'rodex-rmm' })).toMatchObject(rejected);
  });
});

test('[P10.7] neither the database, the log nor the email contains a shown code', async () => {
  const ann = await family();
  const { body } = await ann.open('pause');
  const code = String(body.code);
  const [mail] = await server.mailsTo(ann.email);
  const places = [await databaseText(server), server.logged(), `${mail?.text} ${mail?.html}`];
  expect(places.map((place) => place.includes('/codes') || place.includes(ann.device.uuid) || place.includes('opened a code'))).toEqual([
    true,
    true,
    true,
  ]);
  for (const text of [code, `${code.slice(0, 4)} ${code.slice(4)}`]) {
    expect(places.map((place) => place.includes(text))).toEqual([false, false, false]);
  }
});
