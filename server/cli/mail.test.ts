import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteExpired } from '../db/delete-expired.ts';
import { porchlight } from '../testing/command.ts';
import { ownWorker } from '../testing/own-worker.ts';
import { polite, rudeSmtp } from '../testing/rude-smtp.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';

/** What an operator sees of mail that does not leave, by the real command on the database of a server. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const run = (...words: string[]) => porchlight(words, { DATABASE_URL: server.database_url, DATA_DIR: server.config.data_dir });

test('[P11.3] mail list says who takes nothing and what could not be sent, and mail retry sends that one again under its Message-ID', async () => {
  const { token } = await person(server, 'Ann Example', 'ann@example.org');
  await activeGuardian(server, token, 'Bob', 'bob@one.example');
  await activeGuardian(server, token, 'Cleo', 'cleo@two.example');
  const { agent } = await linkedDevice(server, token);
  await server.app.worker.close();
  const seen = detection(server);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [seen] } });
  expect((await run('mail', 'list')).out).toMatch(
    /^Nothing is known to be wrong.*\nWaiting, mail, urgent: 3, the oldest since .* UTC\.\nThere is nothing that could not be sent\.\n$/,
  );

  let mended = false;
  const ids: string[] = [];
  const { url, close } = await rudeSmtp((line) => {
    if (line.startsWith('Message-ID')) ids.push(line);
    return !mended && /RCPT.*(bob|cleo)/.test(line) ? '550 5.1.1 no such user' : polite(line);
  });
  const own = ownWorker(server, url);
  try {
    await own.worker.idle();
    const listed = await run('mail', 'list');
    expect(listed).toMatchObject({ code: 0, err: '' });
    const of = (email: string) =>
      new RegExp(
        `^([0-9a-f-]{36})  .* UTC, alert mail to ${email}: the address does not exist after 1 try: .*\\(550 5\\.1\\.1 at RCPT TO\\)\\.$`,
        'm',
      ).exec(listed.out)?.[1] ?? '';
    const [bobs, cleos] = [of('bob@one\\.example'), of('cleo@two\\.example')];
    expect([bobs, cleos].every(Boolean)).toBe(true);

    expect(await run('mail', 'retry', bobs)).toEqual({ code: 0, out: '1 waits to be sent again.\n', err: '' });
    mended = true;
    // The command goes by the real time, this server by its own.
    server.clock.turn(Math.max(0, Date.now() - server.clock.now().getTime()) + 60_000);
    await own.worker.idle();
    expect(ids.filter((line) => line.includes(bobs))).toHaveLength(1);
    expect(ids.some((line) => line.includes(cleos))).toBe(false);
    const { told } = (await server.call(`GET /web/detections/${seen.uuid}`, { token })).body as unknown as {
      told: { name: string; state: string }[];
    };
    expect(told.map(({ name, state }) => `${name} ${state}`)).toEqual(['You sent', 'Bob sent', 'Cleo failed']);

    expect((await run('mail', 'retry', '--all')).out).toBe('1 waits to be sent again.\n');
    expect(await run('mail', 'retry', bobs)).toMatchObject({ code: 2, err: expect.stringContaining('mail list shows') });
  } finally {
    await own.close();
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
  [['mail', 'send'], /After "mail" say "list" or "retry"/],
])('%j is refused with what to type instead', async (words, said) => {
  expect(await run(...words)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(said) });
});

test('a dead letter is kept for 30 days, and one of yesterday stays beside it', async () => {
  const day = 24 * 3_600_000;
  const dead = (id: string, failed_at: Date) => ({
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
  const [old, young] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  await server.db
    .insertInto('jobs')
    .values([dead(old, new Date(now - 30 * day)), dead(young, new Date(now - 29 * day))])
    .execute();
  await deleteExpired(server.db)(server.clock.now());
  const left = await server.db.selectFrom('jobs').select('id').where('id', 'in', [old, young]).execute();
  expect(left).toEqual([{ id: young }]);
});
