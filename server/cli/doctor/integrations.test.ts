import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyList, stripeProxy } from '../../testing/fake-stripe.ts';
import { answering, openFakeTwilio } from '../../testing/fake-twilio.ts';
import { failingDns, type OperatedServer, operatedServer } from '../../testing/operated-server.ts';
import { rudeSmtp } from '../../testing/rude-smtp.ts';

let operated: OperatedServer;
beforeAll(async () => {
  operated = await operatedServer();
});
afterAll(() => operated.close());

const nobody = 'postgres://porchlight:hidden-word@127.0.0.1:1/porchlight';

test('a dead letter is a warning, an email that waits for an hour an error, and so is a carrier that accepts nothing', async () => {
  const { db } = operated.server;
  const queue = async () => (await operated.checks()).get('mail.queue');
  const row = (id: string, created: Date, failed_at: Date | null) => ({
    ...{ id, kind: 'mail', lane: 'mail_urgent', payload: '{"to":"a@example.org"}', unique_key: id, run_at: created, created, failed_at },
  });
  const before = new Date(Date.now() - hour);
  await db
    .insertInto('jobs')
    .values(row('00000000-0000-4000-8000-000000000001', before, before))
    .execute();
  expect(await queue()).toMatchObject({ state: 'warning', text: expect.stringContaining('1 could not be sent') });
  await db
    .insertInto('jobs')
    .values(row('00000000-0000-4000-8000-000000000002', before, null))
    .execute();
  expect(await queue()).toMatchObject({ state: 'error', text: expect.stringContaining('1 wait, the oldest since') });
  await db.deleteFrom('jobs').where('unique_key', 'like', '00000000-%').execute();
  await db
    .insertInto('carriers_away')
    .values({ carrier: 'mail', since: before, tried: before, reason: 'it lets us send nothing (535)' })
    .execute();
  expect(await queue()).toMatchObject({ state: 'error', text: expect.stringContaining('it lets us send nothing') });
  await db.deleteFrom('carriers_away').execute();
  expect(await queue()).toMatchObject({ state: 'ok' });
});

test('an email to --mail-to arrives', async () => {
  const checks = await operated.checks(['--mail-to', 'ann@example.org']);
  expect(checks.get('mail.test')).toMatchObject({ state: 'ok', text: expect.stringMatching(/answered: 250 /) });
  expect((await operated.mailbox.list())[0]).toMatchObject({ to: ['ann@example.org'], subject: 'A test from Porchlight' });
});

test.each([
  ['both records', async (name: string) => [name.startsWith('_dmarc') ? 'v=DMARC1; p=none' : 'v=spf1 -all'], 'ok', 'ok'],
  [
    'a DMARC record of the domain above alone',
    async (name: string) => (name === '_dmarc.family-care.org' ? ['v=DMARC1'] : []),
    'warning',
    'ok',
  ],
  ['no records', failingDns('ENODATA'), 'warning', 'warning'],
  ['two SPF records', async () => ['v=spf1 -all', 'v=spf1 mx -all'], 'warning', 'warning'],
  ['a DNS server that fails', failingDns('ESERVFAIL'), 'unknown', 'unknown'],
])('DNS with %s gives its findings about SPF and DMARC', async (_name, txtOf, spf, dmarc) => {
  const checks = await operated.checks([], { env: { MAIL_FROM: 'help@mail.family-care.org' }, network: { txtOf } });
  expect([checks.get('mail.spf')?.state, checks.get('mail.dmarc')?.state]).toEqual([spf, dmarc]);
});

test.each([
  ['refuses the token', answering(401, { code: 20003 }), 'error', 'unknown'],
  ['has suspended the account', answering(200, { status: 'suspended', incoming_phone_numbers: [] }), 'error', 'error'],
  [
    'has a trial account',
    answering(200, { status: 'active', type: 'Trial', incoming_phone_numbers: [{ sms_url: '' }] }),
    'warning',
    'warning',
  ],
  ['answers no JSON', answering(200, '<html>'), 'error', 'error'],
])('a Twilio that %s gives its findings', async (_name, answer, account, number) => {
  const { api_base, close } = await openFakeTwilio(answer);
  const checks = await operated.checks([], { env: { TWILIO_API_BASE: api_base } });
  await close();
  expect([checks.get('texts.account')?.state, checks.get('texts.number')?.state]).toEqual([account, number]);
});

test('a Stripe without the webhook, and with a price that has no device limit, gives an error for each', async () => {
  const price = { id: 'price_1', metadata: {}, product: { id: 'prod_1', active: true } };
  const { api_base, close } = await stripeProxy(operated.server.stripeSimulator.settings, (call) => {
    if (call.startsWith('GET /v1/webhook_endpoints')) return emptyList;
    return call.startsWith('GET /v1/prices') ? { status: 200, body: { ...emptyList.body, data: [price] } } : null;
  });
  const checks = await operated.checks([], { env: { STRIPE_API_BASE: api_base } });
  await close();
  expect(checks.get('payments.webhook')).toMatchObject({
    state: 'error',
    text: expect.stringContaining(`${operated.front.url}/api/stripe/webhook`),
  });
  expect(checks.get('payments.plans')).toMatchObject({ state: 'error', text: expect.stringContaining('price_1') });
  expect(checks.get('payments.key')).toMatchObject({ state: 'warning' });
});

test('a key that Stripe does not know is an error, and so is the key of another account than that of the plans', async () => {
  const refused = await operated.checks([], { env: { STRIPE_SECRET_KEY: 'sk_test_unknown' } });
  expect(refused.get('payments.key')).toMatchObject({ state: 'error', text: expect.stringContaining('does not know this key') });
  await operated.server.db.insertInto('payment_account').values({ id: 'acct_other', livemode: false, since: new Date() }).execute();
  expect((await operated.checks()).get('payments.account')).toMatchObject({ state: 'error', text: expect.stringContaining('acct_other') });
  await operated.server.db.deleteFrom('payment_account').execute();
});

test('the command mail test shows the answer of the mail server, and needs no database', async () => {
  const env = { DATABASE_URL: nobody };
  const accepted = await operated.run(['mail', 'test', '--to', 'bob@example.org'], { env });
  expect(accepted).toMatchObject({ code: 0, out: expect.stringMatching(/has accepted an email to bob@example\.org.*answered: 250 /) });
  expect((await operated.mailbox.list())[0]).toMatchObject({
    to: ['bob@example.org'],
    from: expect.stringContaining('help@family-care.org'),
  });

  const smtp = await rudeSmtp((line) => (line.startsWith('RCPT') ? '550 5.7.1 relaying denied' : '250 ok'));
  const refused = await operated.run(['mail', 'test', '--to', 'bob@example.org'], { env: { ...env, SMTP_URL: smtp.url } });
  smtp.close();
  expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/has not accepted .*550 5\.7\.1 relaying denied/) });
  const without = await operated.run(['mail', 'test', '--to', 'bob@example.org'], { env: { SMTP_URL: '' } });
  expect(without).toMatchObject({ code: 1, out: expect.stringContaining('SMTP_URL is not set') });
});
