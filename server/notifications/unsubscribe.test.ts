import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpServer } from '../http/http.ts';
import { enqueuer } from '../jobs/queue.ts';
import { sealer } from '../secrets/seal.ts';
import { quietWeek } from '../testing/quiet-week.ts';
import { activeGuardian, detection, endIncidents, linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';
import { notifications } from './notifications.ts';
import type { Notification } from './render/render.ts';
import { unsubscribeLinks } from './unsubscribe-links.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const alertTo = async (email: string) => (await server.mailsTo(email)).find(({ subject }) => /blocked/i.test(subject));
const pathIn = (header: string | null | undefined) => /^<http:\/\/localhost:4380(\/api\/unsubscribe\/[^>]+)>/.exec(header ?? '')?.[1] ?? '';

test('[P5.5] an alert email to a guardian has a one-click List-Unsubscribe header, and an alert email to the holder does not', async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token, 'Bob');
  const { agent } = await linkedDevice(server, token);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
  const toBob = await alertTo(bob.email);
  expect(toBob?.list_unsubscribe).toMatch(
    /^<http:\/\/localhost:4380\/api\/unsubscribe\/[\w.-]+>, <mailto:support@porchlight\.example\?subject=unsubscribe>$/,
  );
  expect(toBob?.list_unsubscribe_post).toBe('List-Unsubscribe=One-Click');
  expect(await alertTo(email)).toMatchObject({ list_unsubscribe: null, list_unsubscribe_post: null });

  await endIncidents(server);
  const page = await server.app.http.inject({ url: pathIn(toBob?.list_unsubscribe) });
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.body).toContain('You will get no more emails about Ann.');
  expect(page.body.match(/<button>/g)).toHaveLength(1);
  await server.call(`DELETE /web/guardians/${bob.uuid}`, { token });
  const unsubscribeReply = await server.app.http.inject({ method: 'POST', url: pathIn(toBob?.list_unsubscribe) });
  expect([unsubscribeReply.statusCode, unsubscribeReply.body.includes('This link no longer works.')]).toEqual([410, true]);
});

test('[P5.5] a weekly email’s unsubscribe link of an account that is deleted no longer works, and is no error', async () => {
  const links = unsubscribeLinks(server.people.sealer, 'http://localhost:4380');
  const url = links.ofNotification('weekly', { account: crypto.randomUUID(), guardian: null });
  const reply = await server.app.http.inject({ method: 'POST', url: pathIn(`<${url}>`) });
  expect([reply.statusCode, reply.body.includes('This link no longer works.')]).toEqual([410, true]);
});

/** The notifications feature, with a guardian whose channels the test controls. */
async function notificationsSetup() {
  const { email } = await person(server);
  const { db, clock } = server;
  const { uuid: account } = await db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  const invitation = await db
    .insertInto('guardians')
    .values({ uuid: crypto.randomUUID(), account, name: 'Bob Builder', email: `bob-${email}`, invited: clock.now(), accepted: clock.now() })
    .returningAll()
    .executeTakeFirstOrThrow();
  const bob = {
    ...invitation,
    mail: true,
    weekly: true as boolean,
    phone: '+12025550150' as string | null,
    link: 'http://localhost:4380/x',
  };
  const ended: string[] = [];
  const feature = notifications({
    db,
    clock,
    enqueue: enqueuer(clock),
    sealer: sealer('a secret key for tests, thirty-two characters'),
    public_url: 'http://localhost:4380',
    dashboard_url: 'http://localhost:4380/dashboard',
    sms: true,
    pushServicesOf: 'off',
    hasSigned: () => true,
    holderOf: (uuid, trx) => trx.selectFrom('accounts').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow(),
    renamesOf: async () => [],
    settingsOf: async () => ({ mail: true, sms: true }),
    endWeekly: async (_trx, uuid) => ended.push(uuid) > 0,
    phones: {
      async optedOutOf(numbers, trx) {
        const rows = await (trx ?? db).selectFrom('phone_opt_outs').selectAll().where('phone_number', 'in', numbers).execute();
        return new Set(rows.map(({ phone_number }) => phone_number));
      },
      setOptedOut: async (phone_number, _out, trx) =>
        void (await trx.insertInto('phone_opt_outs').values({ phone_number, since: clock.now() }).execute()),
    },
    guardians: {
      active: async () => [bob],
      reachable: async (uuid) => (uuid === bob.uuid ? bob : null),
      withPhone: async (number) => (number === bob.phone ? [bob] : []),
      endMail: async () => {
        bob.mail = false;
      },
      endMailLater: async () => {},
      endWeekly: async () => {
        bob.weekly = false;
      },
      isInIncident: async () => false,
      refuse: async () => false,
      ofAccount: async (_trx, uuid) => (uuid === bob.uuid ? { account, accepted: true, mail: bob.mail } : null),
    },
  });
  const http = await httpServer(pino({ level: 'silent' }), {
    trust_proxy: 0,
    traffic: { serve: (_ticket, work) => work() },
    admission: { admit: () => null, leave() {} },
    https: false,
    version: '1',
    name: 'x',
    origins: { script: [], frame: [], connect: [] },
  });
  const noCaller = async () => ({});
  await feature.routes(
    http,
    {
      public: noCaller,
      account: noCaller,
      confirmed: noCaller,
      member: noCaller,
      guardian: noCaller,
      device: noCaller,
      device_or_removed: noCaller,
    },
    { onIt: async () => null },
  );
  const notify = (notification: Notification) => db.transaction().execute((trx) => feature.notify(trx, account, notification));
  const alert = (device: string, uuid = crypto.randomUUID() as string) => {
    const facts = {
      name: 'AnyDesk',
      category: 'RemoteControl',
      site: false,
      blocked: true,
      certainty: 'certain',
      help: undefined,
    } as const;
    const when = { time: clock.now(), now: clock.now(), time_zone: 'UTC' };
    return notify({
      kind: 'alert',
      facts: { uuid, url: 'http://localhost:4380/x', device, person: null, ...facts, ...when },
    });
  };
  const weekly = (sunday: string) =>
    notify({
      kind: 'weekly',
      facts: { account, sunday, now: clock.now(), week: quietWeek(clock.now()), is_due: true, every_week: false },
    });
  const subjects = async (address: string) => (await server.mailsTo(address)).map(({ subject }) => subject);
  const post = (url: string, payload = 'List-Unsubscribe=One-Click') =>
    http.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'x' },
    });
  return { all: feature, account, email, bob, http, alert, weekly, subjects, post, ended };
}

test('[P5.5] posting the unsubscribe link ends emails to a guardian but not SMS, and opening its page ends nothing', async () => {
  const { all, bob, http, alert, subjects, post, email } = await notificationsSetup();
  const url = new URL(all.links.ofGuardian(bob.uuid)).pathname;
  expect((await http.inject({ url })).statusCode).toBe(200);
  expect(bob.mail).toBe(true);
  for (const invalidUrl of [`${url}x`, url.replace(bob.uuid, crypto.randomUUID()), url.replace('/g.', '/w.'), '/api/unsubscribe/x']) {
    expect((await post(invalidUrl)).statusCode).toBe(410);
  }
  expect(bob.mail).toBe(true);
  const doneReply = await post(url);
  expect([doneReply.statusCode, doneReply.body.includes('The emails have stopped.')]).toEqual([200, true]);
  expect(bob.mail).toBe(false);
  expect((await post(url)).statusCode).toBe(200);
  await alert('Den PC');
  expect(await subjects(bob.email)).toEqual([]);
  expect(await server.textsTo('+12025550150')).toMatchObject([{ body: expect.stringContaining('AnyDesk was blocked on Den PC') }]);
  expect((await subjects(email)).filter((subject) => subject.includes('no more alerts'))).toEqual([]);
});

test('[P5.5] the holder is notified once when a guardian has neither emails nor SMS left', async () => {
  const { all, bob, subjects, post, email } = await notificationsSetup();
  bob.phone = '+12025550151';
  const notifiedCount = async () => (await subjects(email)).filter((subject) => subject === 'Bob gets no more alerts').length;
  await post('/api/texts/inbound', new URLSearchParams({ From: bob.phone, Body: 'STOP' }).toString());
  expect(await notifiedCount()).toBe(0);
  const url = new URL(all.links.ofGuardian(bob.uuid)).pathname;
  await post(url);
  await post(url);
  await post('/api/texts/inbound', new URLSearchParams({ From: bob.phone, Body: 'STOP' }).toString());
  expect(await notifiedCount()).toBe(1);
});

test('[P5.5] the weekly email has a separate unsubscribe link, which does not end alerts', async () => {
  const { all, account, bob, alert, weekly, subjects, post, ended } = await notificationsSetup();
  const link = all.links.ofNotification('weekly', { account, guardian: bob.uuid }) ?? '';
  const holderLink = all.links.ofNotification('weekly', { account, guardian: null }) ?? '';
  expect(all.links.ofNotification('alert', { account, guardian: null })).toBeNull();
  expect((await post(new URL(link).pathname)).statusCode).toBe(200);
  await weekly('2026-11-22');
  await alert('Den PC');
  expect(await subjects(bob.email)).toEqual([expect.stringContaining('AnyDesk was blocked on Den PC')]);
  expect((await post(new URL(holderLink).pathname)).statusCode).toBe(200);
  expect(ended).toEqual([account]);
});

test('[P5.4] a notification is queued once for each person and channel, however often it is requested', async () => {
  const { account, bob, alert, subjects, email } = await notificationsSetup();
  bob.phone = '+12025550152';
  const uuid = crypto.randomUUID();
  await Promise.all([1, 2, 3].map(() => alert('Den PC', uuid)));
  await alert('Den PC', uuid);
  expect(await subjects(bob.email)).toEqual([expect.stringContaining('AnyDesk was blocked on Den PC')]);
  expect((await subjects(email)).filter((subject) => subject === 'AnyDesk was blocked on Den PC')).toHaveLength(1);
  expect(await server.textsTo('+12025550152')).toHaveLength(1);
  const rows = await server.db.selectFrom('deliveries').select(['key', 'state']).where('account', '=', account).orderBy('key').execute();
  expect(rows).toEqual(
    [`alert:${uuid}:${account}:mail`, `alert:${uuid}:${bob.uuid}:mail`, `alert:${uuid}:${bob.uuid}:sms`]
      .sort()
      .map((key) => ({ key, state: 'sent' })),
  );
});
