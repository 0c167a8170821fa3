import { afterEach, beforeEach, expect, test } from 'vitest';
import { enqueuer } from '../jobs/queue.ts';
import { type OwnWorker, ownWorker } from './own-worker.ts';
import { polite, rudeSmtp, type SmtpAnswer } from './rude-smtp.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer, until } from './world.ts';

/**
 * P11.2: urgent mail before everything else. The mail servers here answer nothing at all to the other mail, so that what a machine can do in a second plays no
 * part. A thousand times as many waiting mails change nothing: each lane reads its own end of one index. `npm run drills urgent` has the figures.
 */

let server: TestServer;
let agent: string;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  server = await testServer();
  const { token } = await person(server, 'Ann Example', 'ann@family.example');
  await activeGuardian(server, token, 'Bob', 'bob@family.example');
  ({ agent } = await linkedDevice(server, token));
  await server.app.worker.close();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await server.close();
});

const alert = () => server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });

/** Hangs at whoever is of one of these domains; `taken`: whose mail it took, in order; `hanging`: how many hang now. */
async function mailServer(hangs: RegExp) {
  const taken: string[] = [];
  const to = new WeakMap<object, string>();
  const hanging = new Set<object>();
  const answer: SmtpAnswer = (line, connection) => {
    if (line.startsWith('RCPT')) {
      to.set(connection, /<(.*?)>/.exec(line)?.[1] ?? '');
      if (hangs.test(line)) {
        hanging.add(connection);
        return undefined;
      }
    }
    if (line === '.') taken.push(to.get(connection) ?? '');
    return polite(line);
  };
  const { url, close } = await rudeSmtp(answer);
  const start = (): OwnWorker => {
    const own = ownWorker(server, url, { patience: 600_000 });
    closing.push(own.close);
    return own;
  };
  // First, so that what hangs ends.
  closing.push(close);
  return { taken, hanging, start };
}

async function queue(domain: string, how_many: number, urgency: 'urgent' | 'ordinary' | 'bulk') {
  const enqueue = enqueuer(server.clock);
  const words = { subject: 'A quiet week', html: '<p>All is well</p>', text: 'All is well' };
  for (let i = 0; i < how_many; i++) {
    await enqueue(server.db, 'mail', `${urgency}:${domain}:${i}`, { to: `p${i}@${domain}`, ...words }, undefined, { urgency });
  }
}

const both = ['ann@family.example', 'bob@family.example'];

test.each([1, 2])(
  '[P11.2] an alert is accepted while every weekly and every account mail before it hangs, on %i servers',
  async (servers) => {
    await queue('weekly.example', 60, 'bulk');
    await queue('accounts.example', 20, 'ordinary');
    const { taken, hanging, start } = await mailServer(/weekly\.example|accounts\.example/);
    for (let n = 0; n < servers; n++) start();
    await until('the other lanes are full', () => hanging.size >= 3 * servers);
    await alert();
    await until('the alert is accepted', () => taken.length === 2);
    expect(taken.toSorted()).toEqual(both);
  },
);

test('[P11.2] a recipient whose server hangs has places of its own, however many urgent mails wait for it', async () => {
  await queue('hangs.example', 40, 'urgent');
  const { taken, hanging, start } = await mailServer(/hangs\.example/);
  start();
  await until('it has what it may have', () => hanging.size === 4);
  await alert();
  await until('the alert is accepted', () => taken.length === 2);
  expect(taken.toSorted()).toEqual(both);
  expect(hanging.size).toBe(4);
});

test('[P11.2] two domains that hang give their places back after a second', async () => {
  for (const domain of ['one.example', 'two.example']) await queue(domain, 10, 'urgent');
  const { taken, hanging, start } = await mailServer(/(one|two)\.example/);
  start();
  await until('every place is taken', () => hanging.size === 8);
  await alert();
  await until('the alert is accepted', () => taken.length === 2);
  expect(taken.toSorted()).toEqual(both);
});
