import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOld } from '../db/delete-old.ts';
import { porchlight } from '../testing/command.ts';
import { ownWorker } from '../testing/own-worker.ts';
import { politeAnswer, rudeSmtp } from '../testing/rude-smtp.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const run = (...args: string[]) => porchlight(args, { DATABASE_URL: server.database_url, DATA_DIR: server.config.data_dir });

test('[P11.3] the command mail list shows which carrier accepts nothing and what could not be sent, and mail retry sends it again with the same Message-ID', async () => {
  const { token } = await person(server, 'Ann Example', 'ann@example.org');
  await activeGuardian(server, token, 'Bob', 'bob@one.example');
  await activeGuardian(server, token, 'Cleo', 'cleo@two.example');
  const { agent } = await linkedDevice(server, token);
  await server.app.worker.close();
  const reported = detection(server);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
  expect((await run('mail', 'list')).out).toMatch(
    /^Nothing is known to be wrong.*\nWaiting, mail, urgent: 3, the oldest since .* UTC\.\nThere is nothing that could not be sent\.\n$/,
  );

  let isRepaired = false;
  const ids: string[] = [];
  const { url, close } = await rudeSmtp((line) => {
    if (line.startsWith('Message-ID')) ids.push(line);
    return !isRepaired && /RCPT.*(bob|cleo)/.test(line) ? '550 5.1.1 no such user' : politeAnswer(line);
  });
  const workerSetup = ownWorker(server, url);
  try {
    await workerSetup.worker.idle();
    const listResult = await run('mail', 'list');
    expect(listResult).toMatchObject({ code: 0, err: '' });
    const idOfMailTo = (email: string) =>
      new RegExp(
        `^([0-9a-f-]{36})  .* UTC, alert mail to ${email}: the address does not exist after 1 try: .*\\(550 5\\.1\\.1 at RCPT TO\\)\\.$`,
        'm',
      ).exec(listResult.out)?.[1] ?? '';
    const [bobsJobId, cleosJobId] = [idOfMailTo('bob@one\\.example'), idOfMailTo('cleo@two\\.example')];
    expect([bobsJobId, cleosJobId].every(Boolean)).toBe(true);

    expect(await run('mail', 'retry', bobsJobId)).toEqual({ code: 0, out: '1 waits to be sent again.\n', err: '' });
    isRepaired = true;
    // Commands use the real time, and this test's server uses a test clock.
    server.clock.turn(Math.max(0, Date.now() - server.clock.now().getTime()) + 60_000);
    await workerSetup.worker.idle();
    expect(ids.filter((line) => line.includes(bobsJobId))).toHaveLength(1);
    expect(ids.some((line) => line.includes(cleosJobId))).toBe(false);
    const { notified } = (await server.call(`GET /web/detections/${reported.uuid}`, { token })).body as unknown as {
      notified: { name: string; state: string }[];
    };
    expect(notified.map(({ name, state }) => `${name} ${state}`)).toEqual(['You sent', 'Bob sent', 'Cleo failed']);

    expect((await run('mail', 'retry', '--all')).out).toBe('1 waits to be sent again.\n');
    expect(await run('mail', 'retry', bobsJobId)).toMatchObject({ code: 2, err: expect.stringContaining('mail list shows') });
  } finally {
    await workerSetup.close();
    close();
  }
  const since = new Date('2026-11-20T08:00:00.000Z');
  await server.db
    .insertInto('carriers_away')
    .values({ carrier: 'mail', since, tried: since, reason: 'it lets us send nothing (535)' })
    .execute();
  expect((await run('mail', 'list')).out).toMatch(
    /^The mail server has taken nothing since 2026-11-20 08:00 UTC: it lets us send nothing \(535\)\./,
  );
});

test.each([
  [['mail', 'retry'], /Say which one, as in mail retry ID/],
  [['mail', 'retry', 'nonsense'], /"nonsense" is no id/],
  [['mail', 'send'], /After "mail" say "list" or "retry" or "test"/],
])('the arguments %j are refused with a hint what to type instead', async (args, sentence) => {
  expect(await run(...args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(sentence) });
});

test('a dead letter is deleted after 30 days, while one from yesterday remains', async () => {
  const deadLetterRow = (id: string, failed_at: Date) => ({
    id,
    kind: 'mail',
    lane: 'mail_urgent',
    payload: '{"to":"a@example.org"}',
    unique_key: id,
    run_at: failed_at,
    created: failed_at,
    failed_at,
  });
  const now = server.clock.now().getTime();
  const [expiredId, validId] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  await server.db
    .insertInto('jobs')
    .values([deadLetterRow(expiredId, new Date(now - 30 * day)), deadLetterRow(validId, new Date(now - 29 * day))])
    .execute();
  await deleteOld(server.db, server.clock.now(), { budget_ms: 60_000 });
  const remainingRows = await server.db.selectFrom('jobs').select('id').where('id', 'in', [expiredId, validId]).execute();
  expect(remainingRows).toEqual([{ id: validId }]);
});
