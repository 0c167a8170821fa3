import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { activeGuardian, detection, goodPassword, linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';
import { runCommand } from './run.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** The command runs with the server's clock, so that a test decides what has ended. */
const run = (...args: string[]) => {
  const { database_url: DATABASE_URL, config } = server;
  const env = { DATABASE_URL, DATA_DIR: config.data_dir, PUBLIC_URL: config.public_url };
  return runCommand(args, () => ({ ...env, SECRET_KEY: 'a secret key for tests, thirty-two characters' }), server.clock);
};
const timeText = (ms = 0) => `${new Date(server.clock.now().getTime() + ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const unknownId = '00000000-0000-4000-8000-000000000000';

/** Ann with a device, whose guardians Bob and Carol may answer, and a stopped program. */
async function inIncident({ guardians = ['Bob Example', 'Carol Example'] } = {}) {
  const { token, email } = await person(server, 'Ann Example');
  const device = await linkedDevice(server, token, 'Den PC');
  const people: Awaited<ReturnType<typeof activeGuardian>>[] = [];
  for (const name of guardians) {
    server.clock.turn(25 * hour);
    people.push(await activeGuardian(server, token, name));
  }
  server.clock.turn(72 * hour);
  const stops = () => server.call('POST /agent/detections', { token: device.agent, body: { detections: [detection(server)] } });
  await stops();
  const call = (key: string, body?: object) => server.call(key, { token, ...(body ? { body } : {}) });
  const allow = () => call(`POST /web/devices/${device.uuid}/v2/exceptions`, { type: 'definition', identifier: 'anydesk', lasts: null });
  const incident = async () => {
    const { items } = (await call('GET /web/incidents')).body as unknown as { items: { uuid: string }[] };
    return (await call(`GET /web/incidents/${items[0]?.uuid}`)).body as unknown as {
      uuid: string;
      events: { kind: string; words: string }[];
    };
  };
  return {
    ...{ token, email, device, people, call, allow, stops, incident },
    masked: `${email[0]}•••@example.org`,
    request: async () => String((await allow()).body.request),
    answer: (request: string, answer: 'yes' | 'no') =>
      server.call(`POST /guardian/${people[0]?.uuid}/requests/${request}`, { headers: people[0]?.session ?? {}, body: { answer } }),
  };
}

const subjectsTo = async (email: string) => (await server.mailsTo(email)).map(({ subject }) => subject);

describe('[P10.2] holds lift', () => {
  test('lets exactly that call pass, and notifies the holder and all guardians', async () => {
    const ann = await inIncident();
    const request = await ann.request();
    expect(await run('holds', 'lift', request)).toEqual({
      code: 0,
      out: `The server does it within a minute: Ann wants to allow AnyDesk on Den PC.\n${ann.masked}, Bob, and Carol will be notified.\n`,
      err: '',
    });
    for (const { email } of [ann, ...ann.people]) {
      const mails = (await subjectsTo(email)).filter((subject) => subject.startsWith('Our support'));
      expect(mails).toEqual([expect.stringContaining('allow AnyDesk on Den PC')]);
    }
    expect((await ann.incident()).events.map(({ words }) => words)).toContain(
      'Support let it through: Ann wants to allow AnyDesk on Den PC.',
    );
    expect(
      (await ann.call(`POST /web/devices/${ann.device.uuid}/v2/exceptions`, { type: 'definition', identifier: 'teamviewer', lasts: null }))
        .body.code,
    ).toBe('held');
    expect((await ann.allow()).status).toBe(200);
    expect((await ann.incident()).events.map(({ words }) => words)).toContain(
      'After that it was done: Ann wants to allow AnyDesk on Den PC.',
    );
    expect(await run('holds', 'lift', request)).toEqual({
      code: 1,
      out: '',
      err: `The change was made at ${timeText()}, so there is nothing to lift.\n`,
    });
  });

  test('is done by the server within a minute, with no screen open, and not twice', async () => {
    const ann = await inIncident();
    const request = await ann.request();
    const lifted = server.clock.now().toISOString();
    await run('holds', 'lift', request);
    expect(await run('holds', 'lift', request)).toMatchObject({
      code: 1,
      err: 'It was lifted already: the server does it within a minute.\n',
    });
    server.clock.turn(minute);
    await server.app.worker.idle();
    expect((await ann.call(`GET /web/requests/${request}`)).body).toMatchObject({ state: 'done', answers: [], lifted });
    expect((await ann.call(`GET /web/devices/${ann.device.uuid}/v2/exceptions`)).body.items).toHaveLength(1);
    expect((await run('holds', 'lift', request)).err).toMatch(/^The change was made at /);
    expect((await subjectsTo(ann.email)).filter((subject) => subject.startsWith('Our support'))).toHaveLength(1);
  });

  test('is refused for a program that waits, which stays a question to the family', async () => {
    const ann = await inIncident();
    const reported = { kind: 'asked', name: 'AnyDesk' };
    const events = [{ uuid: crypto.randomUUID(), time: server.clock.now().toISOString(), reported }];
    await server.call('POST /agent/events', { token: ann.device.agent, body: { events } });
    const { uuid } = await server.db
      .selectFrom('held_requests')
      .select('uuid')
      .where('device', '=', ann.device.uuid)
      .executeTakeFirstOrThrow();
    expect(await run('holds', 'lift', uuid)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('A program waits here') });
    expect((await subjectsTo(ann.email)).filter((subject) => subject.startsWith('Our support'))).toEqual([]);
    expect((await ann.answer(uuid, 'yes')).status).toBe(200);
  });

  test('is refused for 24 hours after a no, and nobody is notified', async () => {
    const ann = await inIncident();
    const request = await ann.request();
    await ann.answer(request, 'no');
    const until = timeText(24 * hour);
    expect(await run('holds', 'lift', request)).toEqual({
      code: 1,
      out: '',
      err: `Bob said no, and a no wins for 24 hours, also over you. Nothing was lifted. Ask Bob, or wait until ${until}; then the change can be asked for again.\n`,
    });
    expect(await server.db.selectFrom('held_requests').select('lifted').where('uuid', '=', request).execute()).toEqual([{ lifted: null }]);
    expect((await subjectsTo(ann.email)).filter((subject) => subject.startsWith('Our support'))).toEqual([]);
    expect((await ann.allow()).body.code).toBe('held');
  });

  test('a no after it wins, and takes back what it let through', async () => {
    const ann = await inIncident();
    const request = await ann.request();
    await run('holds', 'lift', request);
    await ann.allow();
    expect((await ann.answer(request, 'no')).body).toMatchObject({ state: 'undone' });
    expect((await ann.call(`GET /web/devices/${ann.device.uuid}/v2/exceptions`)).body.items).toMatchObject([{ refused: { by: 'Bob' } }]);
    expect((await run('holds', 'lift', request)).err).toMatch(/^The change was made, and then a no took it back at .* ask Bob\.\n$/);
  });

  test('is refused once a yes lets the call pass, once nothing waits, and once the password is enough', async () => {
    const answered = await inIncident();
    const yes = await answered.request();
    await answered.answer(yes, 'yes');
    expect((await run('holds', 'lift', yes)).err).toMatch(/^Bob said yes already: /);

    const alone = await inIncident({ guardians: [] });
    const open = await alone.request();
    server.clock.turn(hour);
    expect((await run('holds', 'list', '--email', alone.email)).out).toContain(open);
    await server.db.updateTable('incidents').set({ over: server.clock.now() }).execute();
    expect((await run('holds', 'lift', open)).err).toMatch(/^Nothing waits on this account any more\. /);

    const late = await inIncident();
    const lapsed = await late.request();
    server.clock.turn(24 * hour - minute);
    await late.stops();
    server.clock.turn(minute);
    const end = timeText(24 * hour);
    expect((await run('holds', 'lift', lapsed)).err).toBe(
      `Nobody has answered for so long that the password is enough, until ${end}. Ask the person to make the change again.\n`,
    );
    await late.call('POST /web/reauthenticate', { password: goodPassword });
    expect((await late.allow()).status).toBe(200);
  });

  test.each([
    [['holds', 'lift'], /^Say which one, as in holds lift ID; /],
    [['holds', 'lift', '--all'], /^Say which one, as in holds lift ID; /],
    [['holds', 'lift', 'x'], /^"x" is no id; holds list shows the ids\.$/],
    [['holds', 'lift', unknownId], /^There is no change with the id 0000.*; holds list shows the ids\.$/],
    [['holds', 'lift', unknownId, 'more'], /^"holds lift" does not know what to do with "more"/],
    [['holds', 'list', '--email', 'nobody@example.org'], /^There is no account with the address nobody@example\.org; /],
    [['holds', 'list', '--email', 'x'], /^--email should be an email address/],
    [['holds'], /^After "holds" say "list" or "lift"; /],
  ])('wrong arguments are refused in one sentence: %s', async (args, sentence) => {
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trimEnd()).toMatch(sentence);
  });
});

test('[P10.2] holds list shows what waits, whose it is without the address, until when, who was asked, and the answers', async () => {
  const other = await inIncident({ guardians: [] });
  const ann = await inIncident();
  await other.stops();
  const request = await ann.request();
  const otherRequest = await other.request();
  const line = (id: string, masked: string, asked: string, state: string, until = timeText(24 * hour)) =>
    `${id}  ${masked}: Ann wants to allow AnyDesk on Den PC. Made ${timeText()}, until ${until}. ${asked} ${state}`;
  const last = '"holds lift ID" lets one through, and notifies everybody.';
  const open = line(request, ann.masked, 'Asked: Bob and Carol.', 'Nobody has answered.');
  const all = await run('holds', 'list');
  expect(all.out).toContain(`${open}\n`);
  expect(all.out).toContain(`${line(otherRequest, other.masked, 'There is nobody to ask.', 'Nobody has answered.')}\n`);
  expect(all.out).not.toContain(ann.email);
  const ofAnn = () => run('holds', 'list', '--email', ann.email);
  expect(await ofAnn()).toEqual({ code: 0, out: `${open}\n${last}\n`, err: '' });

  await run('holds', 'lift', request);
  expect((await ofAnn()).out).toBe(
    `${line(request, ann.masked, 'Asked: Bob and Carol.', 'You lifted it.', timeText(24 * hour))}\n${last}\n`,
  );
  await ann.answer(request, 'no');
  expect((await ofAnn()).out).toBe(`${line(request, ann.masked, 'Asked: Bob and Carol.', 'Bob said no.')}\n${last}\n`);
  server.clock.turn(24 * hour);
  expect((await ofAnn()).out).toBe('No change waits for an answer.\n');
});

test('[P10.3] a request that waits because the account asks first is listed and lifted without an incident', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const device = await linkedDevice(server, token, 'Den PC');
  const call = (key: string, body: object) => server.call(key, { token, body });
  await call('PATCH /web/holding', { ask_first: true });
  const allow = () => call(`POST /web/devices/${device.uuid}/v2/exceptions`, { type: 'definition', identifier: 'anydesk', lasts: null });
  const request = String((await allow()).body.request);
  expect((await run('holds', 'list', '--email', email)).out).toContain(request);
  expect((await run('holds', 'lift', request)).code).toBe(0);
  expect((await allow()).status).toBe(200);
});
