import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failingMail } from '../testing/failing-mail.ts';
import { activeGuardian, endIncidents } from '../testing/world.ts';

/** Refused by the simulator of Twilio. */
const refusedNumber = '+15005550009';

let w: Awaited<ReturnType<typeof failingMail>>;
beforeEach(async () => {
  w = await failingMail();
});
afterEach(() => w.server.close());

const phone = '+12025550143';
const aboutReach = async (email: string) =>
  (await w.server.mailsTo(email)).filter(({ subject }) => subject.startsWith('We can’t reach Bob'));

test('[P11.4] an invitation that comes back starts no SMS and is no reason to notify anyone, and makes the invited guardian unreachable', async () => {
  w.missing.add('carol@example.org');
  await w.server.call('POST /web/create-guardian', { token: w.ann.token, body: { name: 'Carol', email: 'carol@example.org' } });
  await w.untilFailed();
  w.server.clock.turn(serverLimits.unreachable_after);
  await w.idle();
  expect(Object.fromEntries((await w.guardians()).map(({ name, unreachable }) => [name, unreachable]))).toEqual({
    Bob: false,
    Carol: true,
  });
  expect((await w.server.mailsTo(w.ann.email)).filter(({ subject }) => subject.includes('reach'))).toEqual([]);
});

describe('[P11.4] once no channel reaches a guardian', () => {
  const later = async () => {
    w.server.clock.turn(serverLimits.unreachable_after);
    await w.idle();
    await w.idle();
  };

  test('the holder and the other guardians are notified once, and again only after something has reached the guardian', async () => {
    const carol = await activeGuardian(w.server, w.ann.token, 'Carol');
    await endIncidents(w.server);
    w.missing.add(w.bob.email);
    for (let n = 0; n < 2; n += 1) {
      await w.alert();
      await w.untilFailed();
      await later();
    }
    const [toHolder = { subject: '', text: '' }, ...more] = await aboutReach(w.ann.email);
    expect([toHolder.subject, more]).toEqual(['We can’t reach Bob', []]);
    expect(toHolder.text).toContain('Our emails to your guardian Bob don’t arrive.');
    expect(toHolder.text).toContain('Then remove Bob under Guardians, and add them again.');
    const [toCarol, ...moreToCarol] = await aboutReach(carol.email);
    expect([toCarol?.subject, moreToCarol]).toEqual(['We can’t reach Bob about Ann', []]);
    expect(await aboutReach(w.bob.email)).toEqual([]);

    w.missing.clear();
    await w.alert();
    await w.idle();
    expect(await w.guardianBob()).toMatchObject({ unreachable: false, trouble: null });
    w.missing.add(w.bob.email);
    w.server.clock.turn(60_000);
    await w.alert();
    await w.untilFailed();
    expect(await w.guardianBob()).toMatchObject({ unreachable: true });
    await later();
    expect(await aboutReach(w.ann.email)).toHaveLength(2);
  });

  test('nobody is notified if another channel works, or if a mail arrives within a quarter of an hour', async () => {
    await w.verifyPhone(phone);
    w.missing.add(w.bob.email);
    await w.alert();
    await w.untilFailed();
    await later();
    expect(await aboutReach(w.ann.email)).toEqual([]);
    await w.changeReach({ sms: false });
    await w.alert();
    await w.untilFailed();
    expect(await w.guardianBob()).toMatchObject({ unreachable: true });
    w.missing.clear();
    await w.alert();
    await w.idle();
    await later();
    expect(await aboutReach(w.ann.email)).toEqual([]);
  });

  test('a browser that takes push messages counts as a channel, until it is switched off', async () => {
    const { account } = await w.server.db.selectFrom('guardians').select('account').executeTakeFirstOrThrow();
    const { bob, server } = w;
    const delivery = { account, kind: 'alert', about: 'a', guardian: bob.uuid, name: 'Bob', time: server.clock.now() };
    const channels = { mail: 'failed', push: 'sent' } as const;
    const rows = (['mail', 'push'] as const).map((channel) => ({ ...delivery, key: `a:${channel}`, channel, state: channels[channel] }));
    await server.db.insertInto('deliveries').values(rows).execute();
    const browser = { person: bob.uuid, guardian: bob.uuid, account, endpoint_hash: Buffer.from('browser'), session: bob.uuid };
    const subscription = { ...browser, service: 'fcm.googleapis.com', sealed_subscription: '', created: server.clock.now() };
    await server.db.insertInto('push_subscriptions').values(subscription).execute();
    expect(await w.guardianBob()).toMatchObject({ unreachable: false, trouble: { channel: 'mail' } });
    await server.db.deleteFrom('push_subscriptions').execute();
    expect(await w.guardianBob()).toMatchObject({ unreachable: true });
  });

  test('a newly verified number counts as a channel, although texts to the one before it failed', async () => {
    await w.changeReach({ email: false });
    await w.verifyPhone(refusedNumber);
    await w.alert();
    await w.untilFailed();
    expect(await w.guardianBob()).toMatchObject({ unreachable: true, trouble: { channel: 'sms' } });
    w.server.clock.turn(1);
    await w.verifyPhone(phone);
    expect(await w.guardianBob()).toMatchObject({ unreachable: false, trouble: null });
  });
});

test("[P11.4] the holder's profile says that mail to their address fails, until they change it or mail arrives", async () => {
  const fails = async () => (await w.server.call('GET /web/profile', { token: w.ann.token })).body.email_fails;
  expect(await fails()).toBe(false);
  w.missing.add(w.ann.email);
  await w.alert();
  await w.untilFailed();
  expect(await fails()).toBe(true);
  await w.server.db.updateTable('accounts').set({ email: 'new@example.org' }).execute();
  expect(await fails()).toBe(false);
  await w.server.db.updateTable('accounts').set({ email: w.ann.email }).execute();
  w.missing.clear();
  w.server.clock.turn(60_000);
  await w.alert();
  await w.idle();
  expect(await fails()).toBe(false);
});
