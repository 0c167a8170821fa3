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

const number = '+12025550143';

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

async function unconfirmed(server: TestServer) {
  const credentials = { email: `${randomUUID()}@example.org`, password: goodPassword };
  const headers = { 'x-forwarded-for': fakeAddress() };
  await server.call('POST /register', { body: { name: 'Ann', ...credentials }, headers });
  return { token: String((await server.call('POST /login/web', { body: credentials, headers })).body.web_token) };
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
  rows.flatMap(([feature, expectation, makeCalls, resultWhenOn, resultWhenOff]) => [
    [feature, 'on', expectation, makeCalls, resultWhenOn] as const,
    [feature, 'off', expectation, makeCalls, resultWhenOff] as const,
  ]),
)('with %s=%s the API answers as expected to the question: %s', async (feature, value, _expectation, makeCalls, answer) => {
  const server = await testServer({ [feature]: value });
  try {
    expect(await makeCalls(server)).toEqual(answer);
  } finally {
    await server.close();
  }
});

test('[P11.5] a phone number counts as verified only after the email address is confirmed, even where both checks are switched off', async () => {
  const server = await testServer({ FEATURE_PHONE_VERIFICATION: 'off', FEATURE_EMAIL_CHECK: 'off' });
  try {
    for (const [user, isVerified] of [
      [await unconfirmed(server), false],
      [await person(server), true],
    ] as const) {
      await server.call('PATCH /web/profile', { token: user.token, body: { phone_number: number, current_password: goodPassword } });
      expect((await server.call('GET /web/profile', { token: user.token })).body).toMatchObject({
        phone_number: number,
        phone_number_verified: isVerified,
      });
    }
  } finally {
    await server.close();
  }
});

test("FEATURE_UNVERIFIED_BANNER affects only the page's settings, and no API answer", async () => {
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

test('with guardians switched off, existing guardians get no notification and no access, and the holder still does; switched on again, guardians get both', async () => {
  const server = await testServer();
  // Registered before the second server starts, whose worker would send the mail.
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const guardian = await activeGuardian(server, token);
  const serverWithout = await testServer({ FEATURE_GUARDIANS: 'off' }, undefined, { otherServer: server });
  try {
    const alert = async (testedServer: TestServer) => {
      await testedServer.call('POST /agent/detections', {
        token: agent,
        body: { detections: [detection(server, { identifier: randomUUID() })] },
      });
      for (const eachServer of [server, serverWithout]) await eachServer.app.worker.idle();
      const alerts = async (recipient: string) =>
        (await testedServer.mailsTo(recipient)).filter(({ subject }) => subject.includes('AnyDesk')).length;
      return [await alerts(guardian.email), await alerts(email)];
    };
    expect(await alert(serverWithout)).toEqual([0, 1]);
    expect((await serverWithout.call('GET /web/guardians', { token })).body).toEqual({ guardians: [] });
    expect((await serverWithout.call(`GET /web/guardians/${guardian.uuid}/view`, { token })).status).toBe(404);
    expect((await serverWithout.call(`POST /web/guardians/${guardian.uuid}/resend`, { token })).body.code).toBe('guardians_off');
    const open = (testedServer: TestServer) => testedServer.call(`GET /guardian/${guardian.uuid}`, { headers: guardian.session });
    expect((await open(serverWithout)).body.code).toBe('guardian_link_dead');
    expect((await open(server)).status).toBe(200);
    expect(await alert(server)).toEqual([1, 2]);
  } finally {
    await serverWithout.close();
    await server.close();
  }
});
