import { devicePolicy } from '@porchlight/contract/agent.ts';
import { freePlan } from '@porchlight/contract/policies.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { day, hour } from '@porchlight/contract/time.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { individual, order, pay, press } from '../../testing/pay.ts';
import { activeGuardian, detection, linkedDevice, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.close());

const stripe = () => server.payments.stripe;
const { planOf } = buyers(() => server);
const subOf = async (email: string) => {
  const { id } = await server.db
    .selectFrom('customers')
    .innerJoin('accounts', 'accounts.uuid', 'customers.account')
    .select('customers.id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const [sub] = (await stripe().subscriptions.list({ customer: id, status: 'all' })).data;
  if (!sub) throw new Error('there is no subscription');
  return sub;
};
const subjectsTo = async (email: string) => (await server.mailsTo(email)).map(({ subject }) => subject);
const count = async (email: string, subject: string) => (await subjectsTo(email)).filter((one) => one.startsWith(subject)).length;
const policyOf = async (agent: string) => {
  const { body } = await server.call('GET /agent/policy', { token: agent });
  const { keys } = (await server.call('GET /agent/server')).body;
  return openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy);
};

test('[P6.3] the end of a trial is announced exactly three days before, once, without webhooks', async () => {
  const { email } = await person(server);
  await server.stripeSimulator.pauseDelivery(true);
  server.clock.turn(11 * day - 1);
  expect(await count(email, 'Your free trial ends on')).toBe(0);
  server.clock.turn(1);
  const [reminder] = (await server.mailsTo(email)).filter(({ subject }) => subject.startsWith('Your free trial'));
  expect(reminder?.subject).toBe('Your free trial ends on 12/05/2026');
  expect(reminder?.text).toContain('Then Friends & Family begins, for $159.99 a year');
  expect(reminder?.text).toContain('The free plan goes on protecting your devices.');
  expect(reminder?.text).toContain('http://localhost:4380/dashboard/');
  for (let night = 0; night < 2; night++) {
    server.clock.turn(day);
    expect(await count(email, 'Your free trial ends on')).toBe(1);
  }
});

test('[P6.3] the end of a cancelled plan is announced three days before, but not a trial that became a plan', async () => {
  const { email, token } = await person(server);
  await stripe().subscriptions.update((await subOf(email)).id, { trial_end: 'now' });
  await server.stripeSimulator.deliver();
  await stripe().subscriptions.update((await subOf(email)).id, { cancel_at_period_end: true });
  await server.stripeSimulator.deliver();
  const { expires, renews } = await planOf(token);
  expect(renews).toBe(false);
  server.clock.turn(new Date(String(expires)).getTime() - 3 * day - 1 - server.clock.now().getTime());
  expect(await count(email, 'Your plan ends on')).toBe(0);
  server.clock.turn(1);
  expect(await count(email, 'Your plan ends on 11/21/2027')).toBe(1);
  expect(await count(email, 'Your free trial ends on')).toBe(0);
});

test('[P6.3] the end of a plan is not announced when it was withdrawn, even without a webhook', async () => {
  const { email } = await person(server);
  const { id } = await subOf(email);
  await stripe().subscriptions.update(id, { trial_end: 'now' });
  await stripe().subscriptions.update(id, { cancel_at_period_end: true });
  await server.stripeSimulator.deliver();
  await server.stripeSimulator.pauseDelivery(true);
  await stripe().subscriptions.update(id, { cancel_at_period_end: false });
  server.clock.turn(363 * day);
  expect(await count(email, 'Your plan ends on')).toBe(0);
});

test('a failed payment is announced once per invoice, and the plan continues until Stripe gives up', async () => {
  const { email, token } = await person(server);
  await failNextPayment(token);
  server.clock.turn(14 * day + 1000);
  await server.stripeSimulator.deliver();
  expect(await planOf(token)).toMatchObject({ subscribed: true, status: 'past_due' });
  await server.stripeSimulator.deliver();
  expect(await count(email, 'Your payment did not go through')).toBe(1);
  const [mail] = (await server.mailsTo(email)).filter(({ subject }) => subject === 'Your payment did not go through');
  expect(mail?.text).toContain('Your devices are still protected.');
});

test("[P6.3] a plan's end leaves its devices with the free plan, alerts continue, and a new plan restores everything", async () => {
  const { email, token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token, 'Den PC', 'permissive');
  const bob = await activeGuardian(server, token);
  await server.call(`POST /web/devices/${uuid}/v2/exceptions`, { token, body: { type: 'definition', identifier: 'teamviewer' } });
  const policyBefore = await policyOf(agent);
  expect(policyBefore).toMatchObject({ actions: { RemoteControl: 'alert' }, policy: { uuid: 'permissive' } });

  await stripe().subscriptions.cancel((await subOf(email)).id);
  await server.stripeSimulator.deliver();
  const freePolicy = await policyOf(agent);
  expect(freePolicy).toMatchObject({ actions: freePlan.actions, block_likely: freePlan.block_likely, policy: { name: 'Free plan' } });
  expect(freePolicy?.version).toBe((policyBefore?.version ?? 0) + 1);
  expect(freePolicy?.allow).toEqual(policyBefore?.allow);
  expect(await planOf(token)).toMatchObject({ subscribed: false, device_limit: 0, status: 'ended' });
  expect(await count(email, 'Your plan has ended')).toBe(1);
  const [mail] = (await server.mailsTo(email)).filter(({ subject }) => subject === 'Your plan has ended');
  expect(mail?.text).toContain('The free plan goes on blocking remote-control programs on them.');

  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
  expect((await server.mailsTo(bob.email)).length).toBeGreaterThanOrEqual(2);
  expect((await server.call('GET /web/devices', { token })).status).toBe(403);

  await pay(server, await order(server, token));
  await server.stripeSimulator.deliver();
  const policyAfter = await policyOf(agent);
  expect(policyAfter).toMatchObject({ actions: policyBefore?.actions, policy: policyBefore?.policy, allow: policyBefore?.allow });
  expect(policyAfter?.version).toBe((policyBefore?.version ?? 0) + 2);
  expect((await server.call('GET /web/devices', { token })).body.devices).toMatchObject([{ uuid, policy: 'permissive' }]);
});

test('[P10.1] a plan that ends in an incident leaves its devices with their policy until the incident is over', async () => {
  const devices = await Promise.all(
    [0, 1].map(() => person(server).then(async ({ email, token }) => ({ email, token, ...(await linkedDevice(server, token)) }))),
  );
  const [inIncident, beside] = devices;
  if (!inIncident || !beside) throw new Error('two accounts are needed');
  await server.call('POST /agent/detections', { token: inIncident.agent, body: { detections: [detection(server)] } });
  for (const { email } of devices) await stripe().subscriptions.cancel((await subOf(email)).id);
  await server.stripeSimulator.deliver();
  expect(await policyOf(beside.agent)).toMatchObject({ policy: { name: 'Free plan' } });
  const lasting = await policyOf(inIncident.agent);
  expect(lasting).toMatchObject({ policy: { name: 'Strict (Default)' } });

  // A start prolongs the incident.
  server.clock.turn(12 * hour);
  await server.call('POST /agent/detections', { token: inIncident.agent, body: { detections: [detection(server)] } });
  server.clock.turn(day - 1);
  await server.app.worker.idle();
  expect(await policyOf(inIncident.agent)).toMatchObject({ policy: { name: 'Strict (Default)' }, version: lasting?.version });
  server.clock.turn(hour);
  await server.app.worker.idle();
  const after = await policyOf(inIncident.agent);
  expect(after).toMatchObject({ policy: { name: 'Free plan' } });
  expect(after?.version).toBe((lasting?.version ?? 0) + 1);

  // An incident that opens without a plan brings none back.
  await server.call('POST /agent/detections', { token: inIncident.agent, body: { detections: [detection(server)] } });
  expect(await policyOf(inIncident.agent)).toMatchObject({ policy: { name: 'Free plan' } });
});

test('[P10.1] a policy that lasted through an incident ends when somebody says that the incident is over', async () => {
  const { email, token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const bob = await activeGuardian(server, token);
  server.clock.turn(hour);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
  await stripe().subscriptions.cancel((await subOf(email)).id);
  await server.stripeSimulator.deliver();
  const lasting = await policyOf(agent);
  const { incidents } = (await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body as unknown as {
    incidents: { uuid: string }[];
  };
  const over = await server.call(`POST /guardian/${bob.uuid}/incidents/${incidents[0]?.uuid}`, {
    headers: bob.session,
    body: { answer: 'over' },
  });
  expect(over.status).toBe(200);
  const after = await policyOf(agent);
  expect([lasting?.policy.name, after?.policy.name, after?.version]).toEqual([
    'Strict (Default)',
    'Free plan',
    (lasting?.version ?? 0) + 1,
  ]);
});

test('a smaller plan removes no devices but accepts no new ones', async () => {
  const { email, token } = await person(server);
  const devices = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B')];
  const sub = await subOf(email);
  await stripe().subscriptions.update(sub.id, { items: [{ id: sub.items.data[0]?.id ?? '', price: individual }] });
  await server.stripeSimulator.deliver();
  expect(await planOf(token)).toMatchObject({ device_limit: 1 });
  expect((await server.call('GET /web/devices', { token })).body.devices).toHaveLength(2);
  for (const { agent } of devices) expect(await policyOf(agent)).toMatchObject({ actions: { ScamWebsite: 'block' } });
  const extraDevice = await server.call('POST /web/create-device', { token, body: { name: 'C', policy: null } });
  expect(extraDevice).toMatchObject({ status: 409, body: { code: 'device_limit' } });
});

test('[P6.1] the nightly sync corrects what three days without webhooks missed, once', async () => {
  const { email, token } = await person(server);
  await server.stripeSimulator.pauseDelivery(true);
  await stripe().subscriptions.cancel((await subOf(email)).id);
  expect(await planOf(token)).toMatchObject({ subscribed: true });
  for (let night = 0; night < 3; night++) {
    server.clock.turn(day);
    await server.app.worker.idle();
    server.clock.turn(1000);
    await server.app.worker.idle();
  }
  expect(await planOf(token)).toMatchObject({ subscribed: false, status: 'ended' });
  expect(await count(email, 'Your plan has ended')).toBe(1);
});

test('[P6.1] the nightly sync finds payments whose customer is missing in the database', async () => {
  const { email, token } = await person(server);
  await server.stripeSimulator.pauseDelivery(true);
  await server.db.deleteFrom('customers').execute();
  await server.db.deleteFrom('subscriptions').execute();
  expect(await planOf(token)).toMatchObject({ subscribed: false });
  server.clock.turn(day);
  await server.app.worker.idle();
  server.clock.turn(1000);
  await server.app.worker.idle();
  expect(await planOf(token)).toMatchObject({ subscribed: true, status: 'trialing' });
  expect((await subOf(email)).status).toBe('trialing');
});

test('every email about a plan has fewer than 90 words', async () => {
  const { email, token } = await person(server);
  await failNextPayment(token);
  server.clock.turn(11 * day);
  await server.mailsTo(email);
  server.clock.turn(3 * day + 1000);
  await server.stripeSimulator.deliver();
  await stripe().subscriptions.cancel((await subOf(email)).id);
  await server.stripeSimulator.deliver();
  const mails = (await server.mailsTo(email)).filter(({ subject }) => /plan|trial|payment/.test(subject));
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'Your free trial ends on 12/05/2026',
    'Your payment did not go through',
    'Your plan has ended',
  ]);
  for (const { text } of mails) expect(text.split(/\s+/).filter(Boolean).length).toBeLessThan(90);
});

test('a new account has no plan until one is bought or granted', async () => {
  const { token } = await newcomer(server);
  expect(await planOf(token)).toMatchObject({ subscribed: false, device_limit: 0, status: null });
  expect((await server.call('GET /web/devices', { token })).body.code).toBe('not_subscribed');
});

async function failNextPayment(token: string): Promise<void> {
  const { body } = await server.call('POST /web/profile/sub/portal', { token });
  await press(server, String(body), 'card-fails');
}
