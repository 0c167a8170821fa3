import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { enqueuer } from '../../jobs/queue.ts';
import type { Notify } from '../../ports.ts';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';
import { outageStore } from './outage-store.ts';
import { deviceWatch } from './watch.ts';
import { watchStore } from './watch-store.ts';

let server: TestServer;
/** Someone else's device, which is heard all the time. */
let other: Awaited<ReturnType<typeof linkedDevice>>;
beforeAll(async () => {
  server = await testServer();
  other = await linkedDevice(server, (await person(server)).token);
});
afterAll(() => server.close());

const minute = 60_000;
type Said = { says_sleep?: boolean; away?: number };

/** Minutes pass in which the server looks, and these devices check in: at every second one at least, which is no gap yet. */
async function minutes(n: number, heard: string[] = []) {
  for (let left = n; left > 0; ) {
    const step = Math.min(left, 2);
    left -= step;
    server.clock.turn(step * minute);
    for (const token of heard) await checkIn(token);
    await server.app.worker.idle();
  }
}
const checkIn = async (token: string, said: Said = {}) => {
  const body = { info, protecting: true, problems: [], says_sleep: true, ...said };
  expect((await server.call('POST /agent/check-in', { token, body })).status).toBe(200);
};
const goodbye = (token: string, reason: string) => server.call('POST /agent/goodbye', { token, body: { reason } });
const detected = (token: string) =>
  server.call('POST /agent/detections', {
    token,
    body: {
      detections: [
        {
          ...{ uuid: randomUUID(), time: server.clock.now().toISOString(), name: 'AnyDesk', identifier: 'anydesk' },
          ...{ category: 'RemoteControl', details: '/opt/AnyDesk', blocked: true, certainty: 'certain' },
        },
      ],
    },
  });

/** Ann with a device that is awake, and her guardian Bob. */
async function family(said: Said = {}) {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const device = await linkedDevice(server, token);
  // What falls silent here is nobody's trouble in the next test.
  onTestFinished(async () => void (await goodbye(device.agent, 'uninstalled')));
  await minutes(2, [other.agent, device.agent]);
  await checkIn(device.agent, said);
  const about = /heard from|is back|not protected|out of touch/;
  const mails = async (who = email) => (await server.mailsTo(who)).filter(({ subject }) => about.test(subject));
  const silence = async () => (await server.call(`GET /web/devices/${device.uuid}`, { token })).body.silence;
  const pass = (n: number) => minutes(n, [other.agent]);
  return { token, email, bob, device, mails, silence, pass };
}

test('A8: an agent that is killed without a goodbye is notified within 15 minutes, to holder and guardians, once; and that it is back', async () => {
  const { bob, email, device, mails, silence, pass } = await family();
  await pass(14);
  expect(await mails()).toEqual([]);
  expect(await silence()).toBeNull();
  await pass(2);
  const [mail] = await mails();
  expect(mail?.subject).toMatch(/^We haven’t heard from Den PC since \d+:\d\d [AP]M$/);
  expect(mail?.text).toContain('It may only have lost power or Wi-Fi.');
  const [bobs] = await mails(bob.email);
  expect(bobs?.subject).toMatch(/^Ann: we haven’t heard from Den PC since/);
  expect(bobs?.text).toContain('Call Ann');
  expect(bobs?.text.split(/\s+/).length).toBeLessThan(90);
  expect(await silence()).toMatchObject({ kind: 'vanished' });
  await pass(60);
  expect([await mails(), await mails(bob.email)].map((all) => all.length)).toEqual([1, 1]);
  await checkIn(device.agent);
  expect((await mails()).map(({ subject }) => subject)[0]).toBe('Den PC is back');
  expect((await mails(bob.email))[0]?.text).toContain('It was off, or Porchlight was closed there.');
  await checkIn(device.agent);
  expect([await mails(email), await mails(bob.email)].map((all) => all.length)).toEqual([2, 2]);
  expect(await silence()).toBeNull();
});

test('A8: just after something was stopped there, a silence without a goodbye is notified at once; a device beside it that is heard is not', async () => {
  const { bob, device, mails, pass } = await family({ says_sleep: false });
  await detected(device.agent);
  await detected(other.agent);
  await checkIn(device.agent, { says_sleep: false });
  await pass(3);
  expect((await mails(bob.email)).map(({ subject }) => subject)).toEqual([expect.stringMatching(/haven’t heard from Den PC/)]);
  expect((await mails(bob.email))[0]?.text).toContain('Shortly before, we stopped something there');
});

test('A8: a weakening act of the account counts as well: the PIN is shown, and then nothing more comes', async () => {
  const { token, device, mails, pass } = await family({ says_sleep: false });
  await server.call('GET /web/bypasspassword', { token });
  await checkIn(device.agent, { says_sleep: false });
  await pass(3);
  expect(await mails()).toHaveLength(1);
});

test.each(['sleep', 'shutdown', 'uninstalled'])(
  'A8: a device that said goodbye (%s) is no outage, also just after something was stopped',
  async (reason) => {
    const { device, mails, pass } = await family();
    await detected(device.agent);
    await goodbye(device.agent, reason);
    await pass(20);
    expect((await mails()).filter(({ subject }) => subject.includes('heard'))).toEqual([]);
  },
);

test('A8: a device that went to sleep says so on the wire until it is awake, and its short absences teach nothing about its Wi-Fi', async () => {
  const { device, mails, silence, pass } = await family();
  for (let day = 0; day < 4; day++) {
    await goodbye(device.agent, 'sleep');
    expect(await silence()).toMatchObject({ kind: 'asleep' });
    await pass(16);
    await checkIn(device.agent, { away: 16 * 60 });
    expect(await silence()).toBeNull();
  }
  expect(await mails()).toEqual([]);
  await pass(16);
  expect(await mails()).toHaveLength(1);
});

test('A8: one that often turns out to have been merely offline is not notified after 15 minutes again, but at once after something was stopped', async () => {
  const { token, device, mails } = await family();
  const attic = await linkedDevice(server, token, 'Attic PC');
  onTestFinished(async () => void (await goodbye(attic.agent, 'uninstalled')));
  const pass = (n: number) => minutes(n, [other.agent, attic.agent]);
  for (let n = 1; n <= 3; n++) {
    await pass(16);
    expect(await mails()).toHaveLength(2 * n - 1);
    await checkIn(device.agent, { away: 16 * 60 });
    expect((await mails())[0]?.text).toContain('It was only offline or asleep.');
  }
  await pass(40);
  expect(await mails()).toHaveLength(6);
  await checkIn(device.agent, { away: 40 * 60 });
  expect(await mails()).toHaveLength(6);
  await detected(device.agent);
  await pass(3);
  expect(await mails()).toHaveLength(7);
  // What was learned about one device says nothing about another one of the same holder.
  await checkIn(device.agent);
  const before = (await mails()).length;
  await minutes(17, [other.agent, device.agent]);
  expect((await mails())[0]?.subject).toContain('Attic PC');
  expect(await mails()).toHaveLength(before + 1);
});

test('A8: an agent that says no goodbye to sleep, as that of a Mac, is only missed after days', async () => {
  const { mails, pass } = await family({ says_sleep: false });
  await pass(40);
  expect(await mails()).toEqual([]);
});

test('A8: when many fall silent at once no one is notified, and each is judged anew once the others are heard again', async () => {
  const { device, mails, pass } = await family();
  const { token } = await person(server);
  const more = [await linkedDevice(server, token), await linkedDevice(server, token)];
  onTestFinished(async () => {
    for (const { agent } of more) await goodbye(agent, 'uninstalled');
  });
  for (const { agent } of [...more, device, other]) await checkIn(agent);
  await minutes(25);
  expect(await mails()).toEqual([]);
  for (const { agent } of more) await checkIn(agent);
  await pass(14);
  expect(await mails()).toEqual([]);
  await pass(3);
  expect((await mails()).filter(({ subject }) => subject.includes('heard'))).toHaveLength(1);
});

test('A8: minutes in which no server looked do not count', async () => {
  const { mails, pass } = await family();
  await pass(10);
  server.clock.turn(10 * minute);
  await pass(12);
  expect(await mails()).toEqual([]);
  await pass(6);
  expect(await mails()).toHaveLength(1);
});

test('A8: two servers that look at the same moment notify once', async () => {
  const { device, pass } = await family();
  await pass(14);
  server.clock.turn(2 * minute);
  await checkIn(other.agent);
  const notified: string[] = [];
  const notify: Notify = async (_trx, _account, { kind, facts }) => void (kind === 'sudden_outage' && notified.push(facts.uuid));
  const { db, clock } = server;
  const parts = {
    db,
    clock,
    notify,
    log: { warn: () => {} },
    outages: outageStore(clock),
    enqueue: enqueuer(clock),
  };
  const two = [1, 2].map(() => deviceWatch({ ...parts, store: watchStore(db, clock), forgetJobs: async () => {} }));
  await Promise.all(two.map(({ handlers }) => handlers.outage_look()));
  expect(notified).toEqual([device.uuid]);
});

test('A8: a program that is stopped with a goodbye, just after something else was stopped, is notified sooner', async () => {
  const { device, mails, pass } = await family();
  await detected(device.agent);
  await goodbye(device.agent, 'stopped');
  await pass(3);
  expect((await mails()).map(({ subject }) => subject)).toEqual(['Den PC is not protected']);
});

test('A8: the look of a minute reads only what is silent: a device that is heard is pushed ahead', async () => {
  const { device, pass } = await family();
  await pass(16);
  const store = watchStore(server.db, server.clock);
  expect((await store.unheard(server.db)).map(({ uuid }) => uuid)).not.toContain(other.uuid);
  const due = async (uuid: string) =>
    (await server.db.selectFrom('device_watch').select('due').where('device', '=', uuid).executeTakeFirst())?.due;
  expect(await due(device.uuid)).toBeUndefined();
  expect((await due(other.uuid))?.getTime()).toBeGreaterThan(server.clock.now().getTime() + 8 * minute);
});
