import { randomUUID } from 'node:crypto';
import type { Guardian } from '@porchlight/contract/guardians.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fitsOneSms } from '../lib/sms-text.ts';
import { activeGuardian, detection, endIncidents, linkedDevice, person, type TestServer, testServer, until } from '../testing/world.ts';

/** Accepted by the simulator of Twilio, which then reports the SMS as undelivered. */
const unreachableNumber = '+15005550002';
/** Refused by the simulator of Twilio. */
const refusedNumber = '+15005550009';

let server: TestServer;
/** Addresses whose mail server says that they do not exist. */
let missing: Set<string>;
let ann: { token: string; email: string };
let bob: Awaited<ReturnType<typeof activeGuardian>>;
let agent: string;
beforeEach(async () => {
  missing = new Set();
  server = await testServer({}, undefined, {
    onMailStep(step, recipient) {
      if (step === 'rcpt' && missing.has(recipient)) throw Object.assign(new Error('5.1.1 nobody'), { responseCode: 550 });
    },
  });
  ann = await person(server);
  bob = await activeGuardian(server, ann.token);
  ({ agent } = await linkedDevice(server, ann.token));
});
afterEach(() => server.close());

const idle = () => server.app.worker.idle();
const phone = '+12025550143';
const verifyPhone = (number: string) =>
  server.db
    .updateTable('guardians')
    .set({ phone_number: number, phone_number_verified: true, phone_verified_time: server.clock.now() })
    .where('uuid', '=', bob.uuid)
    .execute();
const changeReach = (change: object) => server.call(`PATCH /guardian/${bob.uuid}`, { headers: bob.session, body: change });
const alert = async () => {
  const reported = detection(server, { identifier: randomUUID() });
  await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
  return reported.uuid;
};
/** Fails for good on its second attempt at the earliest. */
const untilFailed = async () => {
  await idle();
  server.clock.turn(5_000);
  await idle();
};
const textsTo = async (number: string) => (await server.textsTo(number)).map(({ body }) => body);
const mailsToBob = async () => (await server.mailsTo(bob.email)).filter(({ subject }) => !/guardian/i.test(subject));
const toBob = async (uuid: string) => {
  const { told } = (await server.call(`GET /web/detections/${uuid}`, { token: ann.token })).body as unknown as { told: { name: string }[] };
  return told.filter(({ name }) => name === 'Bob');
};
const guardianBob = async () => {
  const { guardians } = (await server.call('GET /web/guardians', { token: ann.token })).body as unknown as { guardians: Guardian[] };
  return guardians.find(({ uuid }) => uuid === bob.uuid);
};
const aboutReach = async (email: string) => (await server.mailsTo(email)).filter(({ subject }) => subject.startsWith('We can’t reach Bob'));

describe('[P11.4] an email that fails permanently', () => {
  beforeEach(() => void missing.add(bob.email));

  test('is replaced by one SMS with its facts, and the alert shows both', async () => {
    const uuid = await alert();
    // The number is verified while the mail server is still being asked.
    await verifyPhone(phone);
    await untilFailed();
    const [text = '', ...more] = await textsTo(phone);
    expect(text).toBe('Porchlight: Our email to you did not arrive. Ann may need you: What looks like AnyDesk was blocked on Den PC.');
    expect([fitsOneSms(text), more]).toEqual([true, []]);
    expect(await toBob(uuid)).toMatchObject([
      { channel: 'mail', state: 'failed' },
      { channel: 'sms', state: 'sent' },
    ]);
    expect(await guardianBob()).toMatchObject({ trouble: { channel: 'mail' }, unreachable: false });
  });

  test('a day after the event is replaced by an SMS that says when it was', async () => {
    await alert();
    await verifyPhone(phone);
    missing.clear();
    await server.db
      .updateTable('jobs')
      .set({ run_at: new Date('2026-11-22T14:05:00Z') })
      .where('unique_key', 'like', `alert:%:${bob.uuid}:mail`)
      .execute();
    server.clock.turn(24 * 3_600_000);
    missing.add(bob.email);
    await untilFailed();
    const text = (await textsTo(phone)).find((body) => body.includes('need you')) ?? '';
    expect(text).toMatch(/^Porchlight: Our email to you did not arrive\. Ann may need you: .* on Nov 21 at 9:05 AM, 24 hours ago\.$/);
    expect(fitsOneSms(text)).toBe(true);
  });

  test('starts nothing after an SMS about the same alert, nor for a guardian who has switched SMS off', async () => {
    await verifyPhone(phone);
    await alert();
    await untilFailed();
    expect(await textsTo(phone)).toEqual([expect.not.stringContaining('did not arrive')]);
    await changeReach({ sms: false });
    await alert();
    await untilFailed();
    expect(await textsTo(phone)).toHaveLength(1);
  });

  test('starts the other channel once, although it is sent again by the operator and fails again', async () => {
    const uuid = await alert();
    await verifyPhone(phone);
    await untilFailed();
    await server.db
      .updateTable('jobs')
      .set({ failed_at: null, why: null, attempts: 0, run_at: server.clock.now(), failing_since: null })
      .where('unique_key', '=', `alert:${uuid}:${bob.uuid}:mail`)
      .execute();
    await untilFailed();
    expect(await textsTo(phone)).toHaveLength(1);
  });

  test('does not start an SMS when the SMS of the day are used up', async () => {
    await alert();
    await verifyPhone(phone);
    const rows = Array.from({ length: serverLimits.alert_texts_per_day }, () => ({ key: randomUUID(), about: randomUUID() }));
    const account = (await server.db.selectFrom('guardians').select('account').executeTakeFirstOrThrow()).account;
    const values = rows.map((row) => ({ ...row, account, kind: 'alert', guardian: null, name: 'Ann', channel: 'sms' as const }));
    await server.db
      .insertInto('deliveries')
      .values(values.map((row) => ({ ...row, time: server.clock.now() })))
      .execute();
    await untilFailed();
    expect(await textsTo(phone)).toEqual([]);
  });

  test('and its SMS, which fails too, start nothing more', async () => {
    const uuid = await alert();
    await verifyPhone(refusedNumber);
    await untilFailed();
    await untilFailed();
    expect(await toBob(uuid)).toMatchObject([
      { channel: 'mail', state: 'failed' },
      { channel: 'sms', state: 'failed' },
    ]);
    const jobs = await server.db.selectFrom('jobs').select('unique_key').where('unique_key', 'like', '%:instead:instead').execute();
    expect(jobs).toEqual([]);
    expect(await guardianBob()).toMatchObject({ unreachable: true });
  });
});

test('[P11.4] the holder gets an SMS for an email that failed, with the link of the dashboard, unless they have opted out of SMS', async () => {
  const setPhone = (number: string) =>
    server.db.updateTable('accounts').set({ phone_number: number, phone_number_verified: true }).where('email', '=', ann.email).execute();
  missing.add(ann.email);
  await alert();
  await setPhone(phone);
  await untilFailed();
  const expectedText =
    'Porchlight: Our email to you did not arrive. What looks like AnyDesk was blocked on Den PC. http://localhost:4380/dashboard';
  expect(await textsTo(phone)).toEqual([expectedText]);
  await server.db.updateTable('accounts').set({ phone_number: null, phone_number_verified: false }).execute();
  await alert();
  await server.textFrom(phone, 'STOP');
  await setPhone(phone);
  await untilFailed();
  expect(await textsTo(phone)).toEqual([expectedText]);
});

test('[P11.4] an invitation that comes back starts no SMS and is no reason to notify anyone, and makes the invited guardian unreachable', async () => {
  missing.add('carol@example.org');
  await server.call('POST /web/create-guardian', { token: ann.token, body: { name: 'Carol', email: 'carol@example.org' } });
  await untilFailed();
  server.clock.turn(serverLimits.unreachable_after);
  await idle();
  const { guardians } = (await server.call('GET /web/guardians', { token: ann.token })).body as unknown as { guardians: Guardian[] };
  expect(guardians.map(({ name, unreachable }) => [name, unreachable])).toEqual([
    ['Bob', false],
    ['Carol', true],
  ]);
  expect((await server.mailsTo(ann.email)).filter(({ subject }) => subject.includes('reach'))).toEqual([]);
});

describe('[P11.4] an SMS that fails permanently', () => {
  beforeEach(() => changeReach({ email: false }));

  test.each([
    ['refused by the carrier', refusedNumber, 'It says: “Porchlight: Ann may need you', 'refused'],
    ['accepted, and reported as undelivered', unreachableNumber, 'We sent it at 2:05 PM UTC on Saturday, November 21.', 'undelivered'],
  ])('because it was %s, is replaced by one email', async (_title, number, expectedText, why) => {
    await verifyPhone(number);
    const uuid = await alert();
    // Switched on between the alert and its failure.
    await changeReach({ email: true });
    await idle();
    await until('the SMS has failed', async () => {
      const row = await server.db.selectFrom('deliveries').select('why').where('channel', '=', 'sms').executeTakeFirst();
      return row?.why === why;
    });
    const mails = await mailsToBob();
    expect(mails.map(({ subject }) => subject)).toEqual(['Our text to you did not arrive']);
    expect(mails[0]?.text).toContain(expectedText);
    expect(mails[0]?.text).toMatch(/See what happened:\nhttp:\/\/localhost:4380\/dashboard\/guardian\//);
    expect(mails[0]?.list_unsubscribe).toContain('/api/unsubscribe/');
    expect(await toBob(uuid)).toMatchObject([
      { channel: 'mail', state: 'sent' },
      { channel: 'sms', state: 'failed' },
    ]);
  });

  test('starts no email for who has switched emails off', async () => {
    await verifyPhone(refusedNumber);
    const uuid = await alert();
    await untilFailed();
    expect(await toBob(uuid)).toMatchObject([{ channel: 'sms', state: 'failed' }]);
    expect(await mailsToBob()).toEqual([]);
  });
});

test('[P11.4] a failure and the job that starts the other channel are stored together, or neither is', async () => {
  missing.add(bob.email);
  await alert();
  await verifyPhone(phone);
  await server.db.schema.alterTable('jobs').addCheckConstraint('no_fallback', sql<boolean>`kind <> 'fallback'`).execute();
  await untilFailed();
  const stored = () => server.db.selectFrom('deliveries').select(['state']).where('key', 'like', `alert:%:${bob.uuid}:mail`).execute();
  expect(await stored()).toEqual([{ state: 'waiting' }]);
  await server.db.schema.alterTable('jobs').dropConstraint('no_fallback').execute();
  server.clock.turn(60_000);
  await idle();
  expect(await stored()).toEqual([{ state: 'failed' }]);
  expect(await textsTo(phone)).toHaveLength(1);
});

describe('[P11.4] once no channel reaches a guardian', () => {
  const later = async () => {
    server.clock.turn(serverLimits.unreachable_after);
    await idle();
    await idle();
  };

  test('the holder and the other guardians are notified once, and again only after something has reached the guardian', async () => {
    const carol = await activeGuardian(server, ann.token, 'Carol');
    await endIncidents(server);
    missing.add(bob.email);
    for (let n = 0; n < 2; n += 1) {
      await alert();
      await untilFailed();
      await later();
    }
    const [toHolder = { subject: '', text: '' }, ...more] = await aboutReach(ann.email);
    expect([toHolder.subject, more]).toEqual(['We can’t reach Bob', []]);
    expect(toHolder.text).toContain('Our emails to your guardian Bob don’t arrive.');
    expect(toHolder.text).toContain('Then remove Bob under Guardians, and add them again.');
    const [toCarol, ...moreToCarol] = await aboutReach(carol.email);
    expect([toCarol?.subject, moreToCarol]).toEqual(['We can’t reach Bob about Ann', []]);
    expect(await aboutReach(bob.email)).toEqual([]);

    missing.clear();
    await alert();
    await idle();
    expect(await guardianBob()).toMatchObject({ unreachable: false, trouble: null });
    missing.add(bob.email);
    server.clock.turn(60_000);
    await alert();
    await untilFailed();
    expect(await guardianBob()).toMatchObject({ unreachable: true });
    await later();
    expect(await aboutReach(ann.email)).toHaveLength(2);
  });

  test('nobody is notified if another channel works, or if a mail arrives within a quarter of an hour', async () => {
    await verifyPhone(phone);
    missing.add(bob.email);
    await alert();
    await untilFailed();
    await later();
    expect(await aboutReach(ann.email)).toEqual([]);
    await changeReach({ sms: false });
    await alert();
    await untilFailed();
    expect(await guardianBob()).toMatchObject({ unreachable: true });
    missing.clear();
    await alert();
    await idle();
    await later();
    expect(await aboutReach(ann.email)).toEqual([]);
  });

  test('a newly verified number counts as a channel, although texts to the one before it failed', async () => {
    await changeReach({ email: false });
    await verifyPhone(refusedNumber);
    await alert();
    await untilFailed();
    expect(await guardianBob()).toMatchObject({ unreachable: true, trouble: { channel: 'sms' } });
    server.clock.turn(1);
    await verifyPhone(phone);
    expect(await guardianBob()).toMatchObject({ unreachable: false, trouble: null });
  });
});

test("[P11.4] the holder's profile says that mail to their address fails, until they change it or mail arrives", async () => {
  const fails = async () => (await server.call('GET /web/profile', { token: ann.token })).body.email_fails;
  expect(await fails()).toBe(false);
  missing.add(ann.email);
  await alert();
  await untilFailed();
  expect(await fails()).toBe(true);
  await server.db.updateTable('accounts').set({ email: 'new@example.org' }).execute();
  expect(await fails()).toBe(false);
  await server.db.updateTable('accounts').set({ email: ann.email }).execute();
  missing.clear();
  server.clock.turn(60_000);
  await alert();
  await idle();
  expect(await fails()).toBe(false);
});
