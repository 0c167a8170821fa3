import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { individual, order, pay } from '../../testing/pay.ts';
import { newcomer, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const stripe = () => server.payments.stripe;
const { customerOf, planOf } = buyers(() => server);
const stored = () => server.db.selectFrom('payment_events').select('id').execute();

/** Signed as Stripe does, unless the test says otherwise. `age`: how many seconds ago it was signed. */
function signatureOf(body: string, { secret = server.payments.webhook_secret, age = 0 } = {}): string {
  const timestamp = Math.floor(server.clock.now().getTime() / 1000) - age;
  return stripe().webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
}

async function post(body: string, signature = signatureOf(body), type = 'application/json; charset=utf-8') {
  const headers = { 'content-type': type, 'stripe-signature': signature };
  const answer = await server.app.http.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload: body });
  return { status: answer.statusCode, body: answer.json<Record<string, string>>() };
}

/** Someone who has paid, of which nothing was told to us; and the events about it, oldest first. */
async function paidInSilence() {
  const { token, email } = await newcomer(server);
  await server.stripeSimulator.hold(true);
  await pay(server, await order(server, token, individual));
  const events = await eventsOf(email);
  return { token, email, events };
}

async function eventsOf(email: string): Promise<Stripe.Event[]> {
  const customer = await customerOf(email);
  const all = await stripe().events.list({ limit: 100 }).autoPagingToArray({ limit: 5000 });
  return all.filter((event) => (event.data.object as { customer?: string }).customer === customer).reverse();
}

describe('an event that is not from Stripe', () => {
  test.each([
    ['written again, with other spaces', (body: string) => post(JSON.stringify(JSON.parse(body), null, 2), signatureOf(body))],
    ['signed with another secret', (body: string) => post(body, signatureOf(body, { secret: 'whsec_another' }))],
    ['signed 301 s ago', (body: string) => post(body, signatureOf(body, { age: 301 }))],
    ['without a signature', (body: string) => post(body, '')],
    ['with a signature that is none', (body: string) => post(body, 't=1,v1=abc')],
    ['with the scheme of test clocks only', (body: string) => post(body, signatureOf(body).replace('v1=', 'v0='))],
  ])('%s is refused, and changes nothing', async (_what, send) => {
    const { token, events } = await paidInSilence();
    const before = await stored();
    const reply = await send(JSON.stringify(events[0]));
    expect(reply).toMatchObject({ status: 400, body: { code: 'signature_wrong' } });
    expect(Object.keys(reply.body).sort()).toEqual(['code', 'error', 'request_id']);
    expect(reply.body.error).not.toMatch(/timestamp|tolerance|secret|signature/i);
    expect(await stored()).toEqual(before);
    expect((await server.db.selectFrom('subscriptions').select('id').where('price', '=', individual).execute()).length).toBe(0);
    // The very same one, signed well and 300 s old, counts.
    const body = JSON.stringify(events.at(-1));
    expect((await post(body, signatureOf(body, { age: 300 }))).status).toBe(200);
    expect(await planOf(token)).toMatchObject({ subscribed: true });
    await server.db.deleteFrom('subscriptions').execute();
  });
});

test('while the secret is being changed one of two signatures is enough', async () => {
  const { token, events } = await paidInSilence();
  const body = JSON.stringify(events.at(-1));
  const [other, ours] = [signatureOf(body, { secret: 'whsec_another' }), signatureOf(body)];
  expect((await post(body, `${other},v1=${ours.split('v1=')[1]}`)).status).toBe(200);
  expect((await planOf(token)).subscribed).toBe(true);
});

test('an event of the other mode is answered and left alone', async () => {
  const { events } = await paidInSilence();
  const body = JSON.stringify({ ...events.at(-1), livemode: true });
  const before = await stored();
  expect((await post(body)).status).toBe(200);
  expect(await stored()).toEqual(before);
  expect(server.logged()).toContain('an event of the other mode was left alone');
});

test('an event about someone whom we do not know is answered, so that it is not sent for days', async () => {
  const { events } = await paidInSilence();
  const event = structuredClone(events.at(-1)) as Stripe.Event;
  (event.data.object as { customer: string }).customer = 'cus_nobody';
  event.id = 'evt_nobody';
  expect((await post(JSON.stringify(event))).status).toBe(200);
  expect((await post(JSON.stringify({ ...event, id: 'evt_other', data: { object: { object: 'balance' } } }))).status).toBe(200);
});

test('[P6.1] an event counts once: the second time nobody asks Stripe anything', async () => {
  const { events } = await paidInSilence();
  const body = JSON.stringify(events.at(-1));
  expect((await post(body)).status).toBe(200);
  let asked = 0;
  const count = () => {
    asked += 1;
  };
  stripe().on('request', count);
  expect((await post(body)).status).toBe(200);
  stripe().off('request', count);
  expect(asked).toBe(0);
  expect((await stored()).filter(({ id }) => id === events.at(-1)?.id)).toHaveLength(1);
});

/** Every order of a list. */
function orders<T>(list: T[]): T[][] {
  if (list.length < 2) return [list];
  return list.flatMap((one, i) => orders(list.toSpliced(i, 1)).map((rest) => [one, ...rest]));
}

describe('[P6.1] created, updated, paid and deleted', () => {
  const kinds = ['customer.subscription.created', 'customer.subscription.updated', 'invoice.paid', 'customer.subscription.deleted'];
  const all = orders(kinds);
  test('come in 24 orders', () => expect(new Set(all.map(String)).size).toBe(24));

  test.each(all)('%s, %s, %s, %s, each twice, end in one state, and one mail says that the plan has ended', async (...order_) => {
    const { token, email } = await paidInSilence();
    const customer = await customerOf(email);
    const [sub] = (await stripe().subscriptions.list({ customer })).data;
    await stripe().subscriptions.update(sub?.id ?? '', { trial_end: 'now' });
    await stripe().subscriptions.cancel(sub?.id ?? '');
    const events = await eventsOf(email);
    const of = (kind: string) => events.find(({ type }) => type === kind) ?? expect.fail(`there was no ${kind}`);
    for (const kind of [...order_, ...order_.toReversed()]) {
      const body = JSON.stringify(of(kind));
      const replies = await Promise.all([post(body), post(body)]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    }
    expect(await planOf(token)).toMatchObject({ subscribed: false, device_limit: 0, status: 'ended', renews: false });
    expect(
      await server.db
        .selectFrom('subscriptions')
        .select('status')
        .where('id', '=', sub?.id ?? '')
        .execute(),
    ).toEqual([{ status: 'canceled' }]);
    const subjects = (await server.mailsTo(email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === 'Your plan has ended')).toHaveLength(1);
    expect(subjects).not.toContain('Your payment did not go through');
  });
});
