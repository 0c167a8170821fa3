import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  activeGuardian,
  detection,
  fakeAddress,
  goodPassword,
  linkedDevice,
  person,
  type TestServer,
  testServer,
} from './testing/world.ts';

/** FEATURE_*: each switches the thing itself. What it switches, asked of the API with it on and with it off. */

const number = '+12025550143';

/** Someone whose number is saved and not proved, with a device: what comes of an alert. */
async function alerted(server: TestServer) {
  const { token, email } = await person(server);
  await server.call('PATCH /web/profile', { token, body: { phone_number: number, current_password: goodPassword } });
  const { agent } = await linkedDevice(server, token);
  const report = async () => {
    await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
    return (await server.textsTo(number)).filter(({ body }) => !body.includes('your code')).length;
  };
  const codes = async () => {
    const { status, body } = await server.call('POST /web/send-phone-code', { token });
    return [status, body.code ?? null, (await server.textsTo(number)).filter(({ body: text }) => text.includes('your code')).length];
  };
  return { token, email, report, codes };
}

/** Someone who has registered and not confirmed the address. */
async function unconfirmed(server: TestServer) {
  const who = { email: `${randomUUID()}@example.org`, password: goodPassword };
  const headers = { 'x-forwarded-for': fakeAddress() };
  await server.call('POST /register', { body: { name: 'Ann', ...who }, headers });
  return { token: String((await server.call('POST /login/web', { body: who, headers })).body.web_token) };
}

const invite = async (server: TestServer, token: string) => {
  const { status, body } = await server.call('POST /web/create-guardian', { token, body: { name: 'Bob', email: 'bob@example.org' } });
  return [status, body.code ?? null];
};

const rows: [feature: string, what: string, ask: (server: TestServer) => Promise<unknown>, on: unknown, off: unknown][] = [
  [
    'FEATURE_EMAIL_CHECK',
    'whoever has not confirmed their address invites nobody',
    async (server) => invite(server, (await unconfirmed(server)).token),
    [403, 'email_unverified'],
    [200, null],
  ],
  [
    'FEATURE_GUARDIANS',
    'a guardian is invited',
    async (server) => invite(server, (await person(server)).token),
    [200, null],
    [403, 'guardians_off'],
  ],
  [
    'FEATURE_SMS',
    'a number is kept, a code goes to it',
    async (server) => {
      const { token, codes } = await alerted(server);
      return [(await server.call('GET /web/profile', { token })).body.phone_number, await codes()];
    },
    [number, [200, null, 1]],
    [null, [409, 'phone_missing', 0]],
  ],
  [
    'FEATURE_PHONE_VERIFICATION',
    'an alert is texted to a number as it was saved',
    async (server) => (await alerted(server)).report(),
    0,
    1,
  ],
  [
    'FEATURE_PHONE_VERIFICATION',
    'no code is sent, because none is needed',
    async (server) => (await alerted(server)).codes(),
    [200, null, 1],
    [200, null, 0],
  ],
];

test.each(
  rows.flatMap(([feature, what, ask, on, off]) => [[feature, 'on', what, ask, on] as const, [feature, 'off', what, ask, off] as const]),
)('%s=%s: %s', async (feature, value, _what, ask, answer) => {
  const server = await testServer({ [feature]: value });
  try {
    expect(await ask(server)).toEqual(answer);
  } finally {
    await server.close();
  }
});

test('[P11.5] before the address is confirmed no number counts, also where neither has to be proved', async () => {
  const server = await testServer({ FEATURE_PHONE_VERIFICATION: 'off', FEATURE_EMAIL_CHECK: 'off' });
  try {
    for (const [who, proved] of [
      [await unconfirmed(server), false],
      [await person(server), true],
    ] as const) {
      await server.call('PATCH /web/profile', { token: who.token, body: { phone_number: number, current_password: goodPassword } });
      expect((await server.call('GET /web/profile', { token: who.token })).body).toMatchObject({
        phone_number: number,
        phone_number_verified: proved,
      });
    }
  } finally {
    await server.close();
  }
});

test('FEATURE_UNVERIFIED_BANNER is of the screen alone: the page is told, and no call answers anything else', async () => {
  for (const value of ['on', 'off'] as const) {
    const server = await testServer({ FEATURE_UNVERIFIED_BANNER: value });
    try {
      expect(server.config.features).toEqual({
        ...{ email_check: true, guardians: true, sms: true, phone_verification: true },
        unverified_banner: value === 'on',
      });
      expect(await invite(server, (await unconfirmed(server)).token)).toEqual([403, 'email_unverified']);
    } finally {
      await server.close();
    }
  }
});

test('a guardian of before is told nothing and opens nothing while there are none, the holder is told as ever, and on again they are there', async () => {
  const server = await testServer();
  // Before there is a second server, whose worker would take their mail.
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const guardian = await activeGuardian(server, token);
  const off = await testServer({ FEATURE_GUARDIANS: 'off' }, undefined, server);
  try {
    const alert = async (on: TestServer) => {
      await on.call('POST /agent/detections', { token: agent, body: { detections: [detection(server, { identifier: randomUUID() })] } });
      // Whichever of the two has taken the mail.
      for (const each of [server, off]) await each.app.worker.idle();
      const alerts = async (to: string) => (await on.mailsTo(to)).filter(({ subject }) => subject.includes('AnyDesk')).length;
      return [await alerts(guardian.email), await alerts(email)];
    };
    expect(await alert(off)).toEqual([0, 1]);
    expect((await off.call('GET /web/guardians', { token })).body).toEqual({ guardians: [] });
    expect((await off.call(`GET /web/guardians/${guardian.uuid}/view`, { token })).status).toBe(404);
    expect((await off.call(`POST /web/guardians/${guardian.uuid}/resend`, { token })).body.code).toBe('guardians_off');
    const open = (on: TestServer) => on.call(`GET /guardian/${guardian.uuid}`, { headers: guardian.session });
    expect((await open(off)).body.code).toBe('guardian_link_dead');
    expect((await open(server)).status).toBe(200);
    expect(await alert(server)).toEqual([1, 2]);
  } finally {
    await off.close();
    await server.close();
  }
});
