import { randomUUID } from 'node:crypto';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { brand } from '@porchlight/contract/brand.ts';
import type { AgentScan, ScanItem } from '@porchlight/contract/scan.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardianScanEmail, guardianScanSms, holderScanEmail, holderScanSms } from '../../notifications/render/scan.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const item = (change: Partial<ScanItem> = {}): ScanItem => ({
  ...{ kind: 'downloads', identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' },
  ...{ details: '/home/ann/Downloads/anydesk', did: 'put_away', blocked: true },
  ...change,
});
const thirtyItems = Array.from({ length: 30 }, (_, at) => item({ identifier: `tool-${at}`, name: `Tool ${at}` }));
const scan = (items: ScanItem[] = [item()]): AgentScan => ({ uuid: randomUUID(), time: server.clock.now().toISOString(), items });
const report = (agent: string, body: object) => server.call('POST /agent/scan', { token: agent, body });
const scanEmailsTo = async (email: string) => (await server.mailsTo(email)).filter(({ text }) => text.includes('We checked '));

test('[1.3, P5.3] the first scan sends one email to each person, regardless of the number of findings', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const bob = await activeGuardian(server, token, 'Bob');
  const { agent, uuid } = await linkedDevice(server, token, 'Den PC');
  expect((await report(agent, scan([item(), item({ kind: 'services', did: 'stopped' }), ...thirtyItems]))).body).toEqual({});

  const [annsEmail, bobsEmail] = [await scanEmailsTo(email), await scanEmailsTo(bob.email)];
  expect([annsEmail.length, bobsEmail.length]).toEqual([1, 1]);
  expect(annsEmail[0]?.subject).toBe('AnyDesk, Tool 0 and 29 more were found on Den PC and blocked');
  expect(bobsEmail[0]?.subject).toBe('Ann: AnyDesk, Tool 0 and 29 more were found on Den PC and blocked');
  for (const mail of [...annsEmail, ...bobsEmail]) {
    for (const heading of ['What happened', 'What we did', 'Is it over?', 'What to do now']) expect(mail.text).toContain(heading);
    expect(mail.text).not.toContain('was started');
  }
  expect(annsEmail[0]?.text).toContain(`/dashboard/devices/${uuid}`);
  expect(bobsEmail[0]?.text).toContain(`/dashboard/guardian/${bob.uuid}/`);
});

test('[P4.5] a repeated or simultaneous scan report is stored and notified once, but separately for another device', async () => {
  const { token, email } = await person(server);
  const [firstDevice, otherDevice] = [await linkedDevice(server, token), await linkedDevice(server, token)];
  const sameScan = scan();
  await Promise.all([report(firstDevice.agent, sameScan), report(firstDevice.agent, sameScan)]);
  await report(firstDevice.agent, sameScan);
  expect(await scanEmailsTo(email)).toHaveLength(1);
  await report(otherDevice.agent, sameScan);
  expect(await scanEmailsTo(email)).toHaveLength(2);
});

test("a scan email lists unblocked findings first, and goes only to the account's people", async () => {
  const { token, email } = await person(server);
  const stranger = await person(server, 'Eve');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  await report(agent, scan([item(), item({ name: 'Reimage', identifier: 'reimage', did: 'left', blocked: false, certainty: 'likely' })]));
  const [mail] = await scanEmailsTo(email);
  expect(mail?.subject).toBe('Not blocked: what looks like Reimage, AnyDesk on Den PC');
  expect(mail?.text).toContain('We couldn’t remove what looks like Reimage.');
  expect(await scanEmailsTo(stranger.email)).toEqual([]);
});

test.each([
  ['nothing found', { items: [] }],
  ['too much', { items: Array.from({ length: agentLimits.scan_items_max + 1 }, () => item()) }],
  ['another kind', { items: [{ ...item(), kind: 'pictures' }] }],
  ['no time', { time: 'soon' }],
])('the server refuses a scan report with %s', async (_what, change) => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  expect((await report(agent, { ...scan(), ...change })).status).toBe(422);
  expect((await report('', scan())).status).toBe(401);
  expect((await report(token, scan())).status).toBe(401);
  expect(await scanEmailsTo(email)).toEqual([]);
});

test('scan emails have fewer than 90 words and text messages at most 160 characters, regardless of names', () => {
  const longName = 'Wöchentlich-Fernwartung '.repeat(8).slice(0, 190);
  for (const blocked of [true, false]) {
    for (const did of ['left', 'reported', 'put_away'] as const) {
      const items = [item({ name: longName, blocked, did, certainty: 'likely' }), ...thirtyItems.map((one) => ({ ...one, blocked, did }))];
      const facts = {
        items,
        device: 'The old laptop in the kitchen',
        person: null,
        time: new Date('2026-11-21T09:05:00Z'),
        time_zone: 'Europe/Berlin',
      };
      const url = `https://porchlight.example/dashboard/devices/${randomUUID()}`;
      for (const text of [holderScanSms(facts, url), guardianScanSms(facts, 'Maximiliane Example', url)]) {
        expect(text.length).toBeLessThanOrEqual(160);
        expect(text.startsWith(brand.name)).toBe(true);
      }
      const shortFacts = { ...facts, items: items.slice(1) };
      for (const message of [holderScanEmail(shortFacts, url), guardianScanEmail(shortFacts, 'Ann Example', url)]) {
        expect(message.text.split(/https?:/)[0]?.split(/\s+/).length).toBeLessThan(90);
      }
    }
  }
});
