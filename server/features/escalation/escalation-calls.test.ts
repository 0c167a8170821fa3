import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { phoneOf } from '../../testing/phone-calls.ts';
import { postAsTwilio } from '../../testing/placed-call.ts';
import { activeGuardian, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let lastNumber = 2_025_550_100;
/** Gives a guardian or the account a number that was verified `ago` milliseconds ago. */
async function withNumber(table: 'guardians' | 'accounts', uuid: string, ago = 100 * hour): Promise<string> {
  const phone_number = `+1${++lastNumber}`;
  const phone_verified_time = new Date(server.clock.now().getTime() - ago);
  await server.db
    .updateTable(table)
    .set({ phone_number, phone_number_verified: true, phone_verified_time })
    .where('uuid', '=', uuid)
    .execute();
  return phone_number;
}

/** Ann with Bob and Carol, both with numbers. */
async function threePeople() {
  const family = await incidentFamily(server, { proven: false });
  server.clock.turn(minute);
  const carol = await activeGuardian(server, family.token, 'Carol Example');
  server.clock.turn(72 * hour);
  const bobs = await withNumber('guardians', family.bob?.uuid ?? '');
  const carols = await withNumber('guardians', carol.uuid);
  const page = async () => (await family.call(`GET /web/incidents/${(await family.incidents())[0]?.uuid}`)).body;
  return {
    ...family,
    bobs,
    carols,
    page,
    escalation: async () => (await page()).escalation as unknown as { state: string; next: { words: string } | null },
    lines: async () =>
      ((await page()).events as unknown as { kind: string; words: string }[])
        .filter(({ kind }) => kind === 'reached')
        .map(({ words }) => words),
  };
}
const callTo = async (number: string) => (await server.callsTo(number))[0] ?? fail(number);
const fail = (number: string): never => {
  throw new Error(`nobody called ${number}`);
};
const countTo = async (number: string) => (await server.callsTo(number)).length;

describe('calls to guardians', () => {
  it('come after six minutes, one after the other, twice at most, and are on the page [P11.1]', async () => {
    const people = await threePeople();
    const { bobs, carols } = people;
    await people.stops();
    server.clock.turn(6 * minute - 1);
    expect([await countTo(bobs), await countTo(carols)]).toEqual([0, 0]);
    server.clock.turn(1);
    expect([await countTo(bobs), await countTo(carols)]).toEqual([1, 0]);
    expect(await people.lines()).toEqual(['Nobody had answered, so we wrote to everyone again.', 'We are calling Bob.']);
    await server.phones.busy((await callTo(bobs)).id);
    expect([await countTo(bobs), await countTo(carols)]).toEqual([1, 1]);
    await server.phones.ignore((await callTo(carols)).id);
    expect([await countTo(bobs), await countTo(carols)]).toEqual([1, 1]);
    expect(await people.escalation()).toMatchObject({ state: 'running', next: { words: 'we call Bob' } });
    server.clock.turn(2 * minute);
    expect([await countTo(bobs), await countTo(carols)]).toEqual([2, 1]);
    await server.phones.voicemail((await callTo(bobs)).id);
    expect([await countTo(bobs), await countTo(carols)]).toEqual([2, 2]);
    await server.phones.answer((await callTo(carols)).id);
    await server.phones.hangUp((await callTo(carols)).id);
    server.clock.turn(40 * minute);
    expect([await countTo(bobs), await countTo(carols)]).toEqual([2, 2]);
    expect(await people.lines()).toEqual([
      'Nobody had answered, so we wrote to everyone again.',
      'We called Bob. The line was busy.',
      'We called Carol. Nobody picked up.',
      'We called Bob. Voicemail picked up, and we left a message.',
      'We called Carol. They picked up, and did not press 1.',
      'We tried everyone, and nobody has answered.',
    ]);
    // After 90 days.
    await server.db.deleteFrom('calls').execute();
    expect((await people.lines()).slice(1, 3)).toEqual(['We called Bob.', 'We called Carol.']);
  });

  it('say who calls, what happened and what to do, and 1 ends everything [P11.1]', async () => {
    const people = await threePeople();
    await people.stops();
    server.clock.turn(6 * minute);
    const { id } = await callTo(people.bobs);
    await server.phones.answer(id);
    const asks = [
      'Hello Bob. This is Porchlight.',
      'AnyDesk was started on Den PC.',
      'Nobody has answered yet.',
      'Press 1 if you are on it.',
      'Then call Ann, and say: Hang up. I am with you.',
    ];
    expect((await callTo(people.bobs)).words).toEqual([...asks, ...asks]);
    await server.phones.press(id, '1');
    expect(await callTo(people.bobs)).toMatchObject({
      state: 'ended',
      pressed: ['1'],
      words: expect.arrayContaining(['Thank you. You are on it.', 'Please call Ann now.']),
    });
    expect(await people.escalation()).toEqual({ state: 'answered', next: null });
    expect((await people.page()).on_it).toEqual([expect.objectContaining({ by: 'Bob' })]);
    server.clock.turn(20 * minute);
    expect(await countTo(people.carols)).toBe(0);
    expect((await people.lines()).at(-1)).toBe('We called Bob. They pressed 1.');
  });

  it('still ask who picks up when only the account says that it is on it [P18.2]', async () => {
    const people = await threePeople();
    await people.stops();
    server.clock.turn(6 * minute);
    const { id } = await callTo(people.bobs);
    const [incident] = await people.incidents();
    await people.call(`POST /web/incidents/${incident?.uuid}`, { answer: 'on_it' });
    await server.phones.answer(id);
    expect((await callTo(people.bobs)).words).toEqual(expect.arrayContaining(['Nobody has answered yet.', 'Press 1 if you are on it.']));
  });

  it('of who picks up when somebody is on it already say so [P11.1]', async () => {
    const people = await threePeople();
    await people.stops();
    server.clock.turn(6 * minute);
    const { id } = await callTo(people.bobs);
    const [incident] = await people.incidents();
    // What the account alone says is nobody's (P18.2).
    await people.call(`POST /web/incidents/${incident?.uuid}`, { answer: 'on_it' });
    server.clock.turn(1000);
    await people.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'on_it' });
    await server.phones.answer(id);
    expect((await callTo(people.bobs)).words).toEqual([
      'Hello Bob. This is Porchlight.',
      'Bob is on it already.',
      'There is nothing to do.',
    ]);
    expect(await countTo(people.carols)).toBe(0);
  });

  it('take another key as no answer, and ask the next [P11.1]', async () => {
    const people = await threePeople();
    await people.stops();
    server.clock.turn(6 * minute);
    const { id } = await callTo(people.bobs);
    await server.phones.answer(id);
    await server.phones.press(id, '5');
    expect((await callTo(people.bobs)).words.at(-2)).toBe('That was not 1, so we ask someone else.');
    expect(await people.escalation()).toMatchObject({ state: 'running' });
    expect(await countTo(people.carols)).toBe(1);
  });

  it('ask for no key at a number that was verified yesterday [P10.2]', async () => {
    const people = await threePeople();
    const number = await withNumber('guardians', people.bob?.uuid ?? '', 24 * hour);
    await people.stops();
    server.clock.turn(6 * minute);
    const { id } = await callTo(number);
    await server.phones.answer(id);
    expect((await callTo(number)).words).toContain('Please open our email.');
    // The phone awaits no key, so the form of one is posted without it.
    const call = await server.db.selectFrom('calls').select('uuid').where('phone_number', '=', number).executeTakeFirstOrThrow();
    expect((await postAsTwilio(server, `/calls/key?call=${call.uuid}`, { Digits: '1' })).status).toBe(200);
    expect(await people.escalation()).toMatchObject({ state: 'running' });
    expect((await people.page()).on_it).toEqual([]);
  });

  it('follow the order of the holder, and leave out a number that sent STOP [P5.5]', async () => {
    const people = await threePeople();
    await server.db.updateTable('guardians').set({ position: 1 }).where('phone_number', '=', people.carols).execute();
    await server.db.updateTable('guardians').set({ position: 2 }).where('phone_number', '=', people.bobs).execute();
    await people.stops();
    server.clock.turn(6 * minute);
    expect([await countTo(people.bobs), await countTo(people.carols)]).toEqual([0, 1]);
    await server.textFrom(people.bobs, 'STOP');
    await server.phones.ignore((await callTo(people.carols)).id);
    expect([await countTo(people.bobs), await countTo(people.carols)]).toEqual([0, 1]);
    server.clock.turn(2 * minute);
    expect([await countTo(people.bobs), await countTo(people.carols)]).toEqual([0, 2]);
    expect((await people.lines()).filter((words) => words.includes('Bob'))).toEqual([]);
  });

  it('that the telephone service refuses go on to the next [P11.1]', async () => {
    const people = await threePeople();
    await server.db.updateTable('guardians').set({ phone_number: '+15005550003' }).where('phone_number', '=', people.bobs).execute();
    await people.stops();
    server.clock.turn(6 * minute);
    expect(await countTo(people.carols)).toBe(1);
    expect(await people.lines()).toContain('We called Bob. The call did not go through.');
  });

  it('whose end nobody reports give way after three minutes [P11.1]', async () => {
    const people = await threePeople();
    await people.stops();
    server.clock.turn(6 * minute);
    expect(await countTo(people.bobs)).toBe(1);
    server.clock.turn(3 * minute - 1);
    expect(await countTo(people.carols)).toBe(0);
    server.clock.turn(1);
    expect(await countTo(people.carols)).toBe(1);
  });

  it('go first to the holder of somebody else’s computer [P11.1]', async () => {
    const people = await threePeople();
    const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', people.email).executeTakeFirstOrThrow();
    const anns = await withNumber('accounts', uuid);
    const person = JSON.stringify({ name: 'Mum', phone_number: '+12025550177', is_holder: false });
    const person_set = new Date(server.clock.now().getTime() - 80 * hour);
    await server.db.updateTable('devices').set({ person, person_set, days_seen: 3 }).where('uuid', '=', people.device.uuid).execute();
    await people.stops();
    server.clock.turn(6 * minute);
    const { id } = await callTo(anns);
    expect(await countTo(people.bobs)).toBe(0);
    await server.phones.answer(id);
    await server.phones.press(id, '1');
    expect((await callTo(anns)).words).toContain('The number is 1 2 0 2 5 5 5 0 1 7 7.');
    expect(await people.escalation()).toEqual({ state: 'answered', next: null });
  });
});

describe('the call to the user of the computer, who agreed to it', () => {
  type Family = Awaited<ReturnType<typeof incidentFamily>>;
  const door = { name: 'Remote Desktop', identifier: 'door-remote-desktop', category: 'Door', details: '' };
  it.each<[about: string, happens: (family: Family) => Promise<unknown>, words: string]>([
    ['a program that was stopped', (ann) => ann.stops(), 'We stopped a program on your computer.'],
    [
      'a program that was not stopped',
      (ann) => ann.stops({ blocked: false }),
      'A program that lets strangers in was started on your computer.',
    ],
    ['a way in that was closed', (ann) => ann.stops(door), 'Someone opened a way into your computer.'],
    ['a call for help', (ann) => ann.call('POST /web/help', { device: ann.device.uuid }), 'Someone at your computer asked us for help.'],
    ['a question that waits', async (ann) => [await ann.allow(), await ann.weaker()], 'Someone wants us to protect your computer less.'],
  ])('after %s has a sentence that is so [P11.1] [P15.9]', async (_about, happens, words) => {
    const ann = await incidentFamily(server);
    const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', ann.email).executeTakeFirstOrThrow();
    const phone = phoneOf(server, await withNumber('accounts', uuid));
    await ann.call(`POST /web/devices/${ann.device.uuid}/call-consent`);
    await phone.presses('1');
    await phone.hangsUp();
    await happens(ann);
    server.clock.turn(10 * minute);
    await server.app.worker.idle();
    expect((await phone.picksUp()).say).toEqual([
      'This is Porchlight.',
      words,
      'If you are talking to someone about it, hang up on them.',
      'We never ask you for anything.',
    ]);
  });
});

describe('with VOICE=off', () => {
  it('nobody is called, and the messages promise no calls [P11.1]', async () => {
    const off = await testServer({ VOICE: 'off' });
    try {
      const family = await incidentFamily(off);
      await family.stops();
      off.clock.turn(3 * minute);
      const [mail] = await off.mailsTo(family.bob?.email ?? '');
      expect(mail?.subject).toBe('Nobody has answered yet: Den PC');
      expect(mail?.text).not.toContain('We start to call');
      off.clock.turn(20 * minute);
      await off.app.worker.idle();
      expect(await off.db.selectFrom('calls').selectAll().execute()).toEqual([]);
    } finally {
      await off.close();
    }
  });
});
