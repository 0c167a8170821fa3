// Tier: whole. It sends mail to servers that never answer.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { enqueuer } from '../jobs/queue.ts';
import { type OwnWorker, ownWorker } from './own-worker.ts';
import { politeAnswer, rudeSmtp, type SmtpAnswer } from './rude-smtp.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer, until } from './world.ts';

/**
 * P11.2. These mail servers never answer mail that is not urgent, so that the machine's speed does not matter. `npm run drills urgent`
 * measures the times.
 */

let server: TestServer;
let agent: string;
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  server = await testServer();
  const { token } = await person(server, 'Ann Example', 'ann@family.example');
  await activeGuardian(server, token, 'Bob', 'bob@family.example');
  ({ agent } = await linkedDevice(server, token));
  await server.app.worker.close();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await server.close();
});

const alert = () => server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });

/** `taken`: recipients of accepted mail, in order; `hanging`: connections without an answer. */
async function mailServer(hangingPattern: RegExp) {
  const acceptedRecipients: string[] = [];
  const recipientOf = new WeakMap<object, string>();
  const hanging = new Set<object>();
  const answer: SmtpAnswer = (line, connection) => {
    if (line.startsWith('RCPT')) {
      recipientOf.set(connection, /<(.*?)>/.exec(line)?.[1] ?? '');
      if (hangingPattern.test(line)) {
        hanging.add(connection);
        return undefined;
      }
    }
    if (line === '.') acceptedRecipients.push(recipientOf.get(connection) ?? '');
    return politeAnswer(line);
  };
  const { url, close } = await rudeSmtp(answer);
  const start = (): OwnWorker => {
    const workerSetup = ownWorker(server, url, { timeoutMs: 600_000 });
    closers.push(workerSetup.close);
    return workerSetup;
  };
  // Closed first, so that hanging mail ends.
  closers.push(close);
  return { taken: acceptedRecipients, hanging, start };
}

async function queue(domain: string, how_many: number, urgency: 'urgent' | 'ordinary' | 'bulk') {
  const enqueue = enqueuer(server.clock);
  const content = { subject: 'A quiet week', html: '<p>All is well</p>', text: 'All is well' };
  for (let i = 0; i < how_many; i++) {
    await enqueue(server.db, 'mail', `${urgency}:${domain}:${i}`, { to: `p${i}@${domain}`, ...content }, undefined, { urgency });
  }
}

const recipients = ['ann@family.example', 'bob@family.example'];

test.each([1, 2])('[P11.2] an alert is sent while all earlier weekly and account mail hangs, with %i servers', async (servers) => {
  await queue('weekly.example', 60, 'bulk');
  await queue('accounts.example', 20, 'ordinary');
  const { taken, hanging, start } = await mailServer(/weekly\.example|accounts\.example/);
  for (let n = 0; n < servers; n++) start();
  await until('the other lanes are full', () => hanging.size >= 3 * servers);
  await alert();
  await until('the alert is accepted', () => taken.length === 2);
  expect(taken.toSorted()).toEqual(recipients);
});

test('[P11.2] urgent mail to one hanging mail server is limited, so that an alert to another one is sent', async () => {
  await queue('hangs.example', 40, 'urgent');
  const { taken, hanging, start } = await mailServer(/hangs\.example/);
  start();
  await until('it has what it may have', () => hanging.size === 4);
  await alert();
  await until('the alert is accepted', () => taken.length === 2);
  expect(taken.toSorted()).toEqual(recipients);
  expect(hanging.size).toBe(4);
});

test('[P11.2] mail to two hanging domains frees its slots after a second', async () => {
  for (const domain of ['one.example', 'two.example']) await queue(domain, 10, 'urgent');
  const { taken, hanging, start } = await mailServer(/(one|two)\.example/);
  start();
  await until('every place is taken', () => hanging.size === 8);
  await alert();
  await until('the alert is accepted', () => taken.length === 2);
  expect(taken.toSorted()).toEqual(recipients);
});
