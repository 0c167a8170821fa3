import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { after } from '../../lib/clock.ts';
import { firstHourFamily } from '../../testing/first-hour-family.ts';
import { listServer } from '../../testing/list-server.ts';
import { answersIn, pausedSite, reportStarts, requestsOf } from '../../testing/reported-starts.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const family = (options?: { guardian?: boolean }) => firstHourFamily(server, options);
type Ann = Awaited<ReturnType<typeof family>>;
const ask = (ann: Ann, more = {}) => reportStarts(server, ann, [{ ...pausedSite, ...more }]);
const pausing = async (ann: Ann) => (await ann.policy()).unlisted.paused_sites;

test('[P16.2] a paused site that somebody wants to open is one question to the guardians, in its own words, and opens no incident', async () => {
  const ann = await family();
  for (const _try of [1, 2]) await ask(ann);
  expect(await ann.incidents()).toEqual([]);
  expect(await requestsOf(ann)).toMatchObject([
    {
      state: 'open',
      wants: ['Someone at Den PC wants to open com-etcbx.top.'],
      because: 'It is on no list, and looks like a scam site to us.',
    },
  ]);
  const mails = await ann.mails(/etcbx/);
  expect(mails.map(({ subject }) => subject)).toEqual(['Please answer: someone at Den PC wants to open com-etcbx.top']);
  expect(mails[0]?.text).toContain('looks like a scam site to us');
});

test('[P16.2] a yes opens the site for an hour and no other, and a no closes it at once and for a day', async () => {
  const ann = await family();
  await ask(ann);
  await ask(ann, { identifier: 'paused:usps-tracking.top', name: 'usps-tracking.top', details: 'usps-tracking.top' });
  const request = (await requestsOf(ann)).find(({ wants }) => wants[0]?.includes('etcbx'));
  await ann.answer(request?.uuid, 'yes');
  expect((await ann.policy()).unlisted.answers).toEqual([
    { identifier: pausedSite.identifier, answer: 'yes', until: after(server.clock.now(), hour).toISOString() },
  ]);
  await ann.answer(request?.uuid, 'no');
  server.clock.turn(23 * hour);
  expect(await answersIn(ann)).toEqual([[pausedSite.identifier, 'no']]);
  server.clock.turn(hour);
  expect(await answersIn(ann)).toEqual([]);
});

test('[P16.2] a press is enough at the holder’s own computer, and asks while an incident is open there', async () => {
  const [ann, calm] = [await family(), await family()];
  expect([await pausing(ann), await pausing(calm)]).toEqual(['press', 'press']);
  await ann.stops();
  expect([await pausing(ann), await pausing(calm)]).toEqual(['ask', 'press']);
  const [incident] = await ann.incidents();
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
  expect(await pausing(ann)).toBe('press');
});

test.each([
  ['without a list of young sites', false],
  ['with one', true],
])(
  '[P16.2] [P16.3] %s, a press always asks at somebody else’s computer alone, also where nobody but the holder can say yes',
  async (_which, young) => {
    const other = await testServer(young ? { SITE_LISTS: `${(await listServer('fresh.top')).url}|young` } : {});
    onTestFinished(() => other.close());
    const ann = await firstHourFamily(other, { guardian: false });
    const rename = (is_holder: boolean) =>
      ann.call(`POST /web/devices/${ann.device.uuid}`, { name: 'Den PC', policy: 'strict', person: { name: 'Mum', is_holder } });
    const paused = async () => {
      const { paused_sites, young_sites } = (await ann.policy()).unlisted;
      return [paused_sites, young_sites];
    };
    await rename(false);
    expect(await paused()).toEqual(['ask', young]);
    await rename(true);
    expect(await paused()).toEqual(['press', false]);
  },
);

test('[P16.2] a question beyond those that may wait is an alert with words of its own, and so is one without guardians', async () => {
  const ann = await family();
  for (const n of [1, 2, 3, 4]) await ask(ann, { identifier: `paused:usps-${n}.top`, name: `usps-${n}.top`, details: `usps-${n}.top` });
  const [alert] = await ann.mails(/was blocked/);
  expect(alert?.subject).toContain('usps-4.top was blocked on Den PC');
  expect(alert?.text).toContain('Someone on Den PC wanted to open the paused page usps-4.top');
  expect(alert?.text).toContain('It stays paused.');
});
