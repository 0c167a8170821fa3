import { randomUUID } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failingMail } from '../testing/failing-mail.ts';
import { until } from '../testing/world.ts';
import { fitsOneSms } from '../texts/sms-text.ts';

/** Accepted by the simulator of Twilio, which then reports the SMS as undelivered. */
const unreachableNumber = '+15005550002';
/** Refused by the simulator of Twilio. */
const refusedNumber = '+15005550009';

let w: Awaited<ReturnType<typeof failingMail>>;
beforeEach(async () => {
  w = await failingMail();
});
afterEach(() => w.server.close());

const phone = '+12025550143';
const mailsToBob = async () => (await w.server.mailsTo(w.bob.email)).filter(({ subject }) => !/guardian/i.test(subject));
const toBob = async (uuid: string) => {
  const { notified } = (await w.server.call(`GET /web/detections/${uuid}`, { token: w.ann.token })).body as unknown as {
    notified: { name: string }[];
  };
  return notified.filter(({ name }) => name === 'Bob');
};

describe('[P11.4] an email that fails permanently', () => {
  beforeEach(() => void w.missing.add(w.bob.email));

  test('is replaced by one SMS with its facts, and the alert shows both', async () => {
    const uuid = await w.alertThen('mail', () => w.verifyPhone(phone));
    await w.untilFailed();
    const [text = '', ...more] = await w.textsTo(phone);
    expect(text).toBe('Porchlight: Our email to you did not arrive. Ann may need you: What looks like AnyDesk was blocked on Den PC.');
    expect([fitsOneSms(text), more]).toEqual([true, []]);
    expect(await toBob(uuid)).toMatchObject([
      { channel: 'mail', state: 'failed' },
      { channel: 'sms', state: 'sent' },
    ]);
    expect(await w.guardianBob()).toMatchObject({ trouble: { channel: 'mail' }, unreachable: false });
  });

  test('a day after the event is replaced by an SMS that says when it was', async () => {
    await w.alertThen('mail', async () => {
      await w.verifyPhone(phone);
      w.server.clock.turn(24 * 3_600_000);
      await w.untilFailed();
    });
    const text = (await w.textsTo(phone)).find((body) => body.includes('need you')) ?? '';
    expect(text).toMatch(/^Porchlight: Our email to you did not arrive\. Ann may need you: .* on Nov 21 at 9:05 AM, 24 hours ago\.$/);
    expect(fitsOneSms(text)).toBe(true);
  });

  test('starts nothing after an SMS about the same alert, nor for a guardian who has switched SMS off', async () => {
    await w.verifyPhone(phone);
    await w.alert();
    await w.untilFailed();
    expect(await w.textsTo(phone)).toEqual([expect.not.stringContaining('did not arrive')]);
    await w.changeReach({ sms: false });
    await w.alert();
    await w.untilFailed();
    expect(await w.textsTo(phone)).toHaveLength(1);
  });

  test('starts the other channel once, although it is sent again by the operator and fails again', async () => {
    const uuid = await w.alertThen('mail', () => w.verifyPhone(phone));
    await w.untilFailed();
    await w.server.db
      .updateTable('jobs')
      .set({ failed_at: null, why: null, attempts: 0, run_at: w.server.clock.now(), failing_since: null })
      .where('unique_key', '=', `alert:${uuid}:${w.bob.uuid}:mail`)
      .execute();
    await w.untilFailed();
    expect(await w.textsTo(phone)).toHaveLength(1);
  });

  test('does not start an SMS when the SMS of the day are used up', async () => {
    const rows = Array.from({ length: serverLimits.alert_texts_per_day }, () => ({ key: randomUUID(), about: randomUUID() }));
    const account = (await w.server.db.selectFrom('guardians').select('account').executeTakeFirstOrThrow()).account;
    const values = rows.map((row) => ({ ...row, account, kind: 'alert', guardian: null, name: 'Ann', channel: 'sms' as const }));
    const sent = values.map((row) => ({ ...row, time: w.server.clock.now() }));
    const uuid = await w.alertThen('mail', async () => {
      await w.verifyPhone(phone);
      await w.server.db.insertInto('deliveries').values(sent).execute();
    });
    await w.untilFailed();
    expect(await toBob(uuid)).toMatchObject([{ channel: 'mail', state: 'failed' }]);
    expect(await w.textsTo(phone)).toEqual([]);
  });

  test('and its SMS, which fails too, start nothing more', async () => {
    const uuid = await w.alertThen('mail', () => w.verifyPhone(refusedNumber));
    await w.untilFailed();
    await w.untilFailed();
    expect(await toBob(uuid)).toMatchObject([
      { channel: 'mail', state: 'failed' },
      { channel: 'sms', state: 'failed' },
    ]);
    const jobs = await w.server.db.selectFrom('jobs').select('unique_key').where('unique_key', 'like', '%:instead:instead').execute();
    expect(jobs).toEqual([]);
    expect(await w.guardianBob()).toMatchObject({ unreachable: true });
  });
});

test('[P11.4] the holder gets an SMS for an email that failed, with the link of the dashboard, unless they have opted out of SMS', async () => {
  const setPhone = (number: string) =>
    w.server.db
      .updateTable('accounts')
      .set({ phone_number: number, phone_number_verified: true })
      .where('email', '=', w.ann.email)
      .execute();
  w.missing.add(w.ann.email);
  await w.alertThen('mail', () => setPhone(phone));
  await w.untilFailed();
  const expectedText =
    'Porchlight: Our email to you did not arrive. What looks like AnyDesk was blocked on Den PC. http://localhost:4380/dashboard';
  expect(await w.textsTo(phone)).toEqual([expectedText]);
  await w.server.db.updateTable('accounts').set({ phone_number: null, phone_number_verified: false }).execute();
  await w.alertThen('mail', async () => {
    await w.server.textFrom(phone, 'STOP');
    await setPhone(phone);
  });
  await w.untilFailed();
  expect(await w.textsTo(phone)).toEqual([expectedText]);
});

describe('[P11.4] an SMS that fails permanently', () => {
  beforeEach(() => w.changeReach({ email: false }));

  test.each([
    ['refused by the carrier', refusedNumber, 'It says: “Porchlight: Ann may need you', 'refused'],
    ['accepted, and reported as undelivered', unreachableNumber, 'We sent it at 2:05 PM UTC on Saturday, November 21.', 'undelivered'],
  ])('because it was %s, is replaced by one email', async (_title, number, expectedText, why) => {
    await w.verifyPhone(number);
    const uuid = await w.alertThen('sms', () => w.changeReach({ email: true }));
    await w.idle();
    await until('the SMS has failed', async () => {
      const row = await w.server.db.selectFrom('deliveries').select('why').where('channel', '=', 'sms').executeTakeFirst();
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
    await w.verifyPhone(refusedNumber);
    const uuid = await w.alert();
    await w.untilFailed();
    expect(await toBob(uuid)).toMatchObject([{ channel: 'sms', state: 'failed' }]);
    expect(await mailsToBob()).toEqual([]);
  });
});

test('[P11.4] a failure and the job that starts the other channel are stored together, or neither is', async () => {
  await w.server.db.schema.alterTable('jobs').addCheckConstraint('no_fallback', sql<boolean>`kind <> 'fallback'`).execute();
  w.missing.add(w.bob.email);
  await w.alertThen('mail', () => w.verifyPhone(phone));
  await w.untilFailed();
  const stored = () => w.server.db.selectFrom('deliveries').select(['state']).where('key', 'like', `alert:%:${w.bob.uuid}:mail`).execute();
  expect(await stored()).toEqual([{ state: 'waiting' }]);
  await w.server.db.schema.alterTable('jobs').dropConstraint('no_fallback').execute();
  w.server.clock.turn(60_000);
  await w.idle();
  expect(await stored()).toEqual([{ state: 'failed' }]);
  expect(await w.textsTo(phone)).toHaveLength(1);
});
