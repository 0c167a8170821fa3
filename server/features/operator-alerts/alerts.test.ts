import { expect, test } from 'vitest';
import { enqueuer } from '../../jobs/queue.ts';
import { type OperatorWorld, operatorEmail, operatorPhone, operatorWorld } from '../../testing/operator-world.ts';
import { until } from '../../testing/world.ts';

const gigabyte = 1_000_000_000;
const rows = ({ server }: OperatorWorld) => server.db.selectFrom('operator_problems').selectAll().orderBy('key').execute();
const queueMail = ({ server }: OperatorWorld, key: string) =>
  enqueuer(server.clock)(server.db, 'mail', key, { to: `${key}@example.org`, subject: 'Hello', html: 'Hello', text: 'Hello' });
/** A problem of another computer, which these servers can neither read nor change. */
const otherDisk = async (world: OperatorWorld) => {
  const now = world.server.clock.now();
  const facts = JSON.stringify({ detail: '0.20 GB of 20 GB are free', read: now.toISOString() });
  const row = { key: 'disk:three', since: now, notified: now, good_since: null, facts };
  await world.server.db.insertInto('operator_problems').values(row).execute();
  return row;
};

test('a mail server that accepts nothing is notified once by text and webhook, by several servers, and its end once by each way', async () => {
  const world = await operatorWorld();
  await world.another();
  const unchanged = await otherDisk(world);
  world.mailFault.status = 421;
  await queueMail(world, 'ann');
  await world.pass(1.5);
  expect(await world.received()).toEqual({ mails: [], texts: [], events: [] });

  await world.pass(5);
  const away = await world.server.db.selectFrom('carriers_away').selectAll().executeTakeFirstOrThrow();
  expect(world.hook.accepted).toEqual([
    {
      text: expect.stringMatching(
        /^Porchlight \(localhost:4380\): The mail server accepts no email: .*421.* It began at 2026-11-21 14:05 UTC\. /,
      ),
      problem: 'mail',
      state: 'began',
      since: away.since.toISOString(),
      server: expect.stringMatching(/^(one|two)$/),
    },
  ]);
  const { texts } = await world.received();
  expect(texts).toEqual([expect.stringMatching(/^Porchlight \(localhost:4380\): The mail server accepts no email/)]);

  world.mailFault.status = null;
  await world.pass(1);
  expect((await world.received()).mails).toEqual([]);
  await world.pass(5);
  const received = await world.received();
  expect(received).toEqual({
    mails: ['Solved: The mail server accepts email again'],
    texts: [texts[0], expect.stringMatching(/The mail server accepts email again/)],
    events: ['mail began', 'mail ended'],
  });
  const [mail] = await world.server.mailsTo(operatorEmail);
  expect(mail?.text).toMatch(/This was the problem from 2026-11-21 14:05 UTC to 2026-11-21 14:1\d UTC: The mail server/);
  expect(mail?.text).not.toContain('only now');
  expect(await rows(world)).toEqual([unchanged]);
});

test('a problem of the mail server of which only email could notify is one line in the log, and the email at its end says so', async () => {
  const world = await operatorWorld({ mailOnly: true });
  world.mailFault.status = 421;
  await queueMail(world, 'ann');
  await world.pass(4);
  const lines = world.server
    .logged()
    .split('\n')
    .filter((line) => line.includes('"operator":true'));
  expect(lines).toEqual([expect.stringContaining('Nobody was notified, because OPERATOR_PHONE and OPERATOR_WEBHOOK are not set.')]);
  world.mailFault.status = null;
  await world.pass(4);
  const mails = await world.server.mailsTo(operatorEmail);
  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('You get this only now')]);
});

test('a problem begins with an email, a text and a webhook call, once for several servers, and the texts of people are not used up', async () => {
  const world = await operatorWorld();
  await world.another({ readDisk: async () => ({ free: 50 * gigabyte, size: 100 * gigabyte }) });
  const unchanged = await otherDisk(world);
  world.disk.free = 0.4 * gigabyte;
  await world.pass(3);
  expect(await world.received()).toEqual({
    mails: ['Problem: A disk is almost full: one: 0.40 GB of 100 GB are free'],
    texts: [expect.stringContaining('A disk is almost full: one: 0.40 GB of 100 GB are free. Since 2026-11-21 14:05 UTC.')],
    events: ['disk:one began'],
  });
  expect(await world.server.db.selectFrom('budgets').selectAll().execute()).toEqual([]);
  // More space than the limit at which it begins is not enough for its end.
  world.disk.free = 6 * gigabyte;
  await world.pass(5);
  expect((await world.received()).events).toEqual(['disk:one began']);
  world.disk.free = 30 * gigabyte;
  await world.pass(3);
  expect((await world.received()).events).toEqual(['disk:one began', 'disk:one ended']);
  expect((await world.received()).mails).toHaveLength(2);
  expect(await rows(world)).toEqual([unchanged]);
});

test('a problem that comes and goes within two minutes notifies nobody and leaves no row', async () => {
  const world = await operatorWorld();
  for (let times = 0; times < 5; times++) {
    world.disk.free = 0.1 * gigabyte;
    await world.pass(1);
    world.disk.free = 50 * gigabyte;
    await world.pass(0.5);
  }
  expect(await world.received()).toEqual({ mails: [], texts: [], events: [] });
  expect(await rows(world)).toEqual([]);
});

test('a problem of a computer that has reported nothing for a day is forgotten, and a problem that is still reported stays', async () => {
  const world = await operatorWorld();
  await otherDisk(world);
  world.disk.free = 0.1 * gigabyte;
  await world.pass(3);
  for (let hour = 0; hour < 25; hour++) {
    world.server.clock.turn(3_600_000);
    await world.server.app.worker.idle();
    await world.check();
  }
  expect((await rows(world)).map(({ key }) => key)).toEqual(['disk:one']);
  expect((await world.received()).events).toEqual(['disk:one began']);
});

test('a webhook that fails is called again; a begin whose end was sent is not; no redirection is followed, and the address is not logged', async () => {
  const world = await operatorWorld();
  const { hook, server } = world;
  world.disk.free = 0.1 * gigabyte;
  hook.status = 307;
  await world.pass(2.5);
  await world.received();
  expect(hook.calls.length).toBeGreaterThan(0);
  expect(new Set(hook.calls)).toEqual(new Set(['POST /hook-secret application/json']));
  hook.status = 204;
  await world.pass(2);
  expect((await world.received()).events).toEqual(['disk:one began']);

  hook.status = 500;
  world.disk.free = 50 * gigabyte;
  await world.pass(3);
  world.disk.free = 0.1 * gigabyte;
  await world.pass(3);
  world.disk.free = 50 * gigabyte;
  await world.pass(3);
  hook.status = 204;
  server.clock.turn(3_600_000);
  expect((await world.received()).events).toEqual(['disk:one began', 'disk:one ended', 'disk:one ended']);
  expect(server.logged()).toContain('OPERATOR_WEBHOOK answered 500');
  expect(server.logged()).not.toContain('hook-secret');
});

test('a text to the operator goes where no text of people goes, and another text to that country does not', async () => {
  const world = await operatorWorld();
  const other = '+4915123456780';
  await enqueuer(world.server.clock)(world.server.db, 'sms', 'of-people', { to: other, body: 'Hello', notification: true });
  world.disk.free = 0.1 * gigabyte;
  await world.pass(3);
  expect([(await world.server.textsTo(operatorPhone)).length, (await world.server.textsTo(other)).length]).toEqual([1, 0]);
});

test('the server makes the rounds of its checks by itself', async () => {
  const { server, disk, hook } = await operatorWorld({ surroundings: { every: { check: 20, ping: 20 } } });
  disk.free = 0.1 * gigabyte;
  const isStored = async () => (await server.db.selectFrom('operator_problems').select('key').execute()).length === 1;
  await until('the first reading', isStored);
  server.clock.turn(2 * 60_000);
  await until('the notification', () => hook.accepted.length === 1);
});

test('what only one of two servers sees is notified once, and its end when that server sees it', async () => {
  const answer = (problem: string | null) => async () => ({
    status: 200,
    headers: {},
    body: '{"ok":true}',
    certificate: { ends: new Date('2027-11-21T14:05:00Z'), problem },
  });
  let seenByOne: string | null = 'CERT_HAS_EXPIRED';
  const world = await operatorWorld({
    env: { PUBLIC_URL: 'https://porchlight.test' },
    surroundings: { askAddress: () => answer(seenByOne)() },
  });
  await world.another({ askAddress: answer(null) });
  await world.pass(10);
  expect((await world.received()).events).toEqual(['certificate began']);
  seenByOne = null;
  await world.pass(5);
  expect((await world.received()).events).toEqual(['certificate began', 'certificate ended']);
});

test('a problem of a check that was switched off is forgotten, so that it is notified when it is switched on again', async () => {
  const world = await operatorWorld({ env: { BACKUP_ALERT_HOURS: 'off' } });
  const disk = await otherDisk(world);
  await world.server.db
    .insertInto('operator_problems')
    .values({ ...disk, key: 'backup' })
    .execute();
  await world.check();
  expect(await rows(world)).toEqual([disk]);
  expect((await world.received()).events).toEqual([]);
});

test('a carrier that nobody has tried for an hour is not away: the server that found it so has ended', async () => {
  const world = await operatorWorld();
  const now = world.server.clock.now();
  const away = { carrier: 'sms', since: now, tried: now, reason: 'no answer' };
  await world.server.db.insertInto('carriers_away').values(away).execute();
  await world.pass(3);
  expect((await world.received()).events).toEqual(['sms began']);
  await world.pass(57.5);
  expect((await world.received()).events).toEqual(['sms began']);
  await world.pass(3);
  expect((await world.received()).events).toEqual(['sms began', 'sms ended']);
});

test('the webhook about a late queue does not wait in it, and is queued if it fails', async () => {
  const world = await operatorWorld();
  await world.server.app.worker.close();
  await queueMail(world, 'late');
  const late = async () => {
    for (let n = 0; n < 18; n++) {
      world.server.clock.turn(30_000);
      await world.server.db.deleteFrom('jobs').where('unique_key', '!=', 'late').execute();
      await world.check();
    }
  };
  const queued = async () =>
    (await world.server.db.selectFrom('jobs').select('kind').where('unique_key', 'like', 'operator:%').execute()).map(({ kind }) => kind);
  world.hook.status = 500;
  await late();
  expect(world.hook.calls).toHaveLength(1);
  await world.server.db.deleteFrom('operator_problems').execute();
  world.hook.status = 204;
  await late();
  expect(world.hook.accepted.map(({ problem, state }) => `${problem} ${state}`)).toEqual(['backlog began']);
  expect(await queued()).toEqual([]);
});

test('one of two servers that find a problem at the same moment notifies', async () => {
  const world = await operatorWorld();
  const other = await world.another();
  const { db, clock } = world.server;
  const since = new Date(clock.now().getTime() - 10 * 60_000);
  await db.insertInto('carriers_away').values({ carrier: 'sms', since, tried: clock.now(), reason: 'no answer' }).execute();
  for (let times = 1; times <= 10; times++) {
    await world.check();
    expect((await world.received()).mails).toHaveLength(times);
    await db.deleteFrom('operator_problems').execute();
    for (const server of [world.server, other]) server.clock.turn(1_000);
  }
});
