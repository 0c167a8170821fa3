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

/** `age`: seconds since signing. */
function signatureOf(body: string, { secret = server.payments.webhook_secret, age = 0 } = {}): string {
  const timestamp = Math.floor(server.clock.now().getTime() / 1000) - age;
  return stripe().webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
}

async function postEvent(body: string, signature = signatureOf(body), type = 'application/json; charset=utf-8') {
  const headers = { 'content-type': type, 'stripe-signature': signature };
  const answer = await server.app.http.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload: body });
  return { status: answer.statusCode, body: answer.json<Record<string, string>>() };
}

async function paidWithoutWebhook() {
  const { token, email } = await newcomer(server);
  await server.stripeSimulator.pauseDelivery(true);
  await pay(server, await order(server, token, individual));
  const events = await eventsOf(email);
  return { token, email, events };
}

async function eventsOf(email: string): Promise<Stripe.Event[]> {
  const customer = await customerOf(email);
  const allEvents = await stripe().events.list({ limit: 100 }).autoPagingToArray({ limit: 5000 });
  return allEvents.filter((event) => (event.data.object as { customer?: string }).customer === customer).reverse();
}

describe('events that are not from Stripe', () => {
  test.each([
    ['written again, with other spaces', (body: string) => postEvent(JSON.stringify(JSON.parse(body), null, 2), signatureOf(body))],
    ['signed with another secret', (body: string) => postEvent(body, signatureOf(body, { secret: 'whsec_another' }))],
    ['signed 301 s ago', (body: string) => postEvent(body, signatureOf(body, { age: 301 }))],
    ['without a signature', (body: string) => postEvent(body, '')],
    ['with a signature that is none', (body: string) => postEvent(body, 't=1,v1=abc')],
    ['with the scheme of test clocks only', (body: string) => postEvent(body, signatureOf(body).replace('v1=', 'v0='))],
  ])('an event %s is refused and changes nothing', async (_what, sendEvent) => {
    const { token, events } = await paidWithoutWebhook();
    const storedBefore = await stored();
    const reply = await sendEvent(JSON.stringify(events[0]));
    expect(reply).toMatchObject({ status: 400, body: { code: 'signature_wrong' } });
    expect(Object.keys(reply.body).sort()).toEqual(['code', 'error', 'request_id']);
    expect(reply.body.error).not.toMatch(/timestamp|tolerance|secret|signature/i);
    expect(await stored()).toEqual(storedBefore);
    expect((await server.db.selectFrom('subscriptions').select('id').where('price', '=', individual).execute()).length).toBe(0);
    // The same event, correctly signed 300 s ago, is accepted.
    const body = JSON.stringify(events.at(-1));
    expect((await postEvent(body, signatureOf(body, { age: 300 }))).status).toBe(200);
    expect(await planOf(token)).toMatchObject({ subscribed: true });
    await server.db.deleteFrom('subscriptions').execute();
  });
});

test('during a change of secret, one valid signature of two is enough', async () => {
  const { token, events } = await paidWithoutWebhook();
  const body = JSON.stringify(events.at(-1));
  const [foreignSignature, ownSignature] = [signatureOf(body, { secret: 'whsec_another' }), signatureOf(body)];
  expect((await postEvent(body, `${foreignSignature},v1=${ownSignature.split('v1=')[1]}`)).status).toBe(200);
  expect((await planOf(token)).subscribed).toBe(true);
});

test('an event of the other mode is acknowledged and ignored', async () => {
  const { events } = await paidWithoutWebhook();
  const body = JSON.stringify({ ...events.at(-1), livemode: true });
  const storedBefore = await stored();
  expect((await postEvent(body)).status).toBe(200);
  expect(await stored()).toEqual(storedBefore);
  expect(server.logged()).toContain('an event of the other mode was left alone');
});

test('an event about an unknown customer is acknowledged, so that Stripe does not repeat it', async () => {
  const { events } = await paidWithoutWebhook();
  const event = structuredClone(events.at(-1)) as Stripe.Event;
  (event.data.object as { customer: string }).customer = 'cus_nobody';
  event.id = 'evt_nobody';
  expect((await postEvent(JSON.stringify(event))).status).toBe(200);
  expect((await postEvent(JSON.stringify({ ...event, id: 'evt_other', data: { object: { object: 'balance' } } }))).status).toBe(200);
});

test('[P6.1] a repeated event causes no call to Stripe', async () => {
  const { events } = await paidWithoutWebhook();
  const body = JSON.stringify(events.at(-1));
  expect((await postEvent(body)).status).toBe(200);
  let requestCount = 0;
  const count = () => {
    requestCount += 1;
  };
  stripe().on('request', count);
  expect((await postEvent(body)).status).toBe(200);
  stripe().off('request', count);
  expect(requestCount).toBe(0);
  expect((await stored()).filter(({ id }) => id === events.at(-1)?.id)).toHaveLength(1);
});

function orders<T>(list: T[]): T[][] {
  if (list.length < 2) return [list];
  return list.flatMap((one, i) => orders(list.toSpliced(i, 1)).map((rest) => [one, ...rest]));
}

describe('[P6.1] the order of the events created, updated, paid and deleted', () => {
  const kinds = ['customer.subscription.created', 'customer.subscription.updated', 'invoice.paid', 'customer.subscription.deleted'];
  const allOrders = orders(kinds);
  test('four events can arrive in 24 orders', () => expect(new Set(allOrders.map(String)).size).toBe(24));

  test.each(allOrders)(
    "the events %s, %s, %s, %s, each sent twice, lead to the same state and one email about the plan's end",
    async (...eventOrder) => {
      const { token, email } = await paidWithoutWebhook();
      const customer = await customerOf(email);
      const [sub] = (await stripe().subscriptions.list({ customer })).data;
      await stripe().subscriptions.update(sub?.id ?? '', { trial_end: 'now' });
      await stripe().subscriptions.cancel(sub?.id ?? '');
      const events = await eventsOf(email);
      const eventOfKind = (kind: string) => events.find(({ type }) => type === kind) ?? expect.fail(`there was no ${kind}`);
      for (const kind of [...eventOrder, ...eventOrder.toReversed()]) {
        const body = JSON.stringify(eventOfKind(kind));
        const replies = await Promise.all([postEvent(body), postEvent(body)]);
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
    },
  );
});
