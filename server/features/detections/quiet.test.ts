import { randomUUID } from 'node:crypto';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import { day, hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { report } from '../../testing/report.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const page = (name: string, more: Partial<ReportedDetection> = {}) =>
  detection(server, { name, identifier: name, category: 'ScamWebsite', details: name, certainty: 'certain', ...more });
const cleaner = (more: Partial<ReportedDetection> = {}) =>
  detection(server, {
    name: 'PC Cleaner',
    identifier: 'pc-cleaner',
    category: 'DeceptiveUtility',
    details: '/tmp/cleaner',
    certainty: 'certain',
    ...more,
  });

let numbers = 0;
/** Ann with a computer, and Bob, who gets texts. */
async function family() {
  const { token, email } = await person(server, 'Ann Example');
  const number = `+1202555${String(7000 + numbers++)}`;
  const bob = await activeGuardian(server, token, 'Bob');
  await server.db
    .updateTable('guardians')
    .set({ phone_number: number, phone_number_verified: true, phone_verified_time: server.clock.now(), sms: true })
    .where('email', '=', bob.email)
    .execute();
  const { agent, uuid } = await linkedDevice(server, token, 'Den PC');
  const emailsTo = async (address: string) =>
    (await server.mailsTo(address)).filter(({ subject }) => /Den PC|Attic PC/.test(subject)).toReversed();
  return {
    ...{ token, agent, uuid },
    bobs: () => emailsTo(bob.email),
    anns: () => emailsTo(email),
    texts: () => server.textsTo(number),
    alerts: async () =>
      (await server.call('GET /web/detections', { token })).body.items as unknown as {
        info: { quiet?: string; name: string };
        explanation: { what_to_do: string };
      }[],
  };
}

describe('[P15.9] with nobody on the line', () => {
  test.each([
    ['a blocked page', () => page('evil-toll.top'), 'evil-toll.top was blocked on Den PC'],
    ['a deceptive program', () => cleaner(), 'PC Cleaner was blocked on Den PC'],
  ])('%s is one email to each, without a call and without a text', async (_what, made, subject) => {
    const { agent, anns, bobs, texts, alerts } = await family();
    await report(server, agent, made());
    for (const emails of [await anns(), await bobs()]) {
      expect(emails.map((mail) => mail.subject)).toEqual([subject]);
      expect(emails[0]?.text).not.toMatch(/\bcall\b|hang up now/i);
      for (const title of ['What happened', 'What we did', 'Is it over?', 'What to do now']) expect(emails[0]?.text).toContain(title);
    }
    expect(await texts()).toEqual([]);
    expect(await alerts()).toMatchObject([{ info: { quiet: 'alone' } }]);
  });

  test.each([
    ['remote control', () => detection(server)],
    ['a page of a remote-control program', () => detection(server, { details: 'anydesk.com', name: 'anydesk.com' })],
    ['a page that opened', () => page('evil-open.top', { blocked: false })],
  ])('%s is as loud as ever', async (_what, made) => {
    const { agent, bobs, texts, alerts } = await family();
    await report(server, agent, made());
    expect((await bobs()).map(({ subject }) => subject)).toEqual([expect.stringMatching(/need you|now/)]);
    expect(await texts()).toHaveLength(1);
    expect((await alerts())[0]?.info).not.toHaveProperty('quiet');
  });

  test('200 blocked pages are three emails: two at once, and one a day later about all others', async () => {
    const { agent, bobs, texts, alerts } = await family();
    for (let n = 0; n < 200; n += 20) {
      await report(server, agent, ...Array.from({ length: 20 }, (_, i) => page(`evil-${n + i}.top`)));
      server.clock.turn(minute);
    }
    expect((await bobs()).map(({ subject }) => subject)).toEqual(['evil-0.top was blocked on Den PC', 'evil-1.top was blocked on Den PC']);
    expect((await alerts())[0]).toMatchObject({ info: { quiet: 'together' } });
    const jobs = await server.db
      .selectFrom('jobs')
      .select('payload')
      .where('kind', '=', 'quiet_alerts')
      .where('done_at', 'is', null)
      .execute();
    expect(jobs).toHaveLength(1);
    server.clock.turn(day - 20 * minute);
    expect(await bobs()).toHaveLength(2);
    server.clock.turn(20 * minute);
    const [, , third, ...others] = await bobs();
    expect(third?.subject).toBe('Ann: 198 more scam pages on Den PC');
    expect(third?.text).toMatch(/evil-\d+\.top, evil-\d+\.top, /);
    expect(third?.text).toContain('194 others');
    expect([others, await texts()]).toEqual([[], []]);
    server.clock.turn(3 * day);
    expect(await bobs()).toHaveLength(3);
  });

  test('a flood that goes on is one email a day; after a day without any, the next page is an email of its own', async () => {
    const { agent, bobs } = await family();
    await report(server, agent, page('evil-1.top'), page('evil-2.top'), page('evil-3.top'));
    server.clock.turn(day);
    expect(await bobs()).toHaveLength(3);
    await report(server, agent, page('evil-4.top'));
    expect(await bobs()).toHaveLength(4);
    server.clock.turn(hour);
    await report(server, agent, page('evil-5.top'), page('evil-6.top'), page('evil-7.top'));
    expect(await bobs()).toHaveLength(5);
    server.clock.turn(day);
    expect((await bobs()).at(-1)?.subject).toBe('Ann: 2 more scam pages on Den PC');
    server.clock.turn(2 * day);
    await report(server, agent, page('evil-8.top'));
    expect((await bobs()).at(-1)?.subject).toBe('evil-8.top was blocked on Den PC');
  });

  test('two computers that report at the same time send two emails together, and the pages of another family count for themselves', async () => {
    const [{ token, agent, bobs }, other] = [await family(), await family()];
    const attic = await linkedDevice(server, token, 'Attic PC');
    await Promise.all([
      report(server, agent, page('evil-1.top'), page('evil-2.top')),
      report(server, attic.agent, page('evil-3.top'), page('evil-4.top')),
      report(server, other.agent, page('evil-1.top')),
    ]);
    expect([(await bobs()).length, (await other.bobs()).length]).toEqual([2, 1]);
    server.clock.turn(day);
    expect((await bobs())[2]?.subject).toMatch(/^Ann: 2 more scam pages on (Den|Attic) PC$/);
  });
});

describe('[P15.9] somebody is on the line', () => {
  const isLoud = async ({ agent, texts, bobs }: Awaited<ReturnType<typeof family>>) => {
    const before = (await texts()).length;
    await report(server, agent, page('evil-toll.top'));
    expect((await bobs()).at(-1)?.subject).toBe('Ann may need you: evil-toll.top was blocked on Den PC');
    expect((await texts()).length).toBe(before + 1);
  };

  test.each([0, 3 * hour])('while an incident is open, a blocked page is as loud as ever, %i ms after the stop', async (later) => {
    const ann = await family();
    await report(server, ann.agent, detection(server));
    server.clock.turn(later);
    await isLoud(ann);
  });

  test('while somebody helps by an appointment, a blocked page is as loud as ever; afterwards it is quiet', async () => {
    const ann = await family();
    const { account } = await server.db.selectFrom('devices').select('account').where('uuid', '=', ann.uuid).executeTakeFirstOrThrow();
    const appointment = { identifier: 'teamviewer', program: 'TeamViewer', name: 'Bob', money_pages: false, ended: null, ended_by: null };
    const now = server.clock.now();
    await server.db
      .insertInto('appointments')
      .values({
        ...appointment,
        uuid: randomUUID(),
        account,
        device: ann.uuid,
        person: account,
        time: now,
        until: new Date(now.getTime() + hour),
      })
      .execute();
    await isLoud(ann);
    server.clock.turn(hour + minute);
    await report(server, ann.agent, page('evil-later.top'));
    expect((await ann.bobs()).at(-1)?.subject).toBe('evil-later.top was blocked on Den PC');
  });

  test('a page in the same report as remote control is loud, and an hour after allowed remote control one is quiet again', async () => {
    const ann = await family();
    await report(server, ann.agent, page('evil-first.top'), detection(server, { start: 'system' }));
    expect((await ann.texts()).length).toBe(2);
    server.clock.turn(hour + minute);
    await report(server, ann.agent, page('evil-later.top'));
    expect((await ann.bobs()).at(-1)?.subject).toBe('evil-later.top was blocked on Den PC');
    expect((await ann.texts()).length).toBe(2);
  });
});
