import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { activeGuardian, type Loose, newcomer, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

interface Listed {
  uuid: string;
  name: string;
  position: number | null;
}
const listed = (body: Loose) => body.guardians as unknown as Listed[];
const placesOf = (guardians: Listed[]) => guardians.map(({ name, position }) => [name, position]);

/** Ann with her guardians Bob, Carol and Dave, invited in this order. */
async function family() {
  const ann = await incidentFamily(server);
  const bob = ann.bob?.uuid ?? '';
  const carol = (await activeGuardian(server, ann.token, 'Carol Example')).uuid;
  server.clock.turn(1000);
  const dave = (await activeGuardian(server, ann.token, 'Dave Example')).uuid;
  server.clock.turn(2 * 3_600_000);
  const order = (...uuids: string[]) => ann.call('PUT /web/guardians/order', { order: uuids });
  return {
    ...{ ann, bob, carol, dave, order },
    names: async () => listed((await ann.call('GET /web/guardians')).body).map(({ name }) => name.split(' ')[0]),
    logged: async () => {
      const { items } = (await ann.call('GET /web/acts')).body as unknown as { items: { kind: string; words: string }[] };
      return items.filter(({ kind }) => kind === 'guardians_reordered').map(({ words }) => words);
    },
  };
}

test('guardians have no position until the holder orders them; then the list has that order, and a new guardian comes last', async () => {
  const { ann, bob, carol, dave, order } = await family();
  const before = await ann.call('GET /web/guardians');
  expect(placesOf(listed(before.body))).toEqual([
    ['Bob Example', null],
    ['Carol Example', null],
    ['Dave Example', null],
  ]);
  const ordered = await order(dave, carol, bob);
  expect(ordered.status).toBe(200);
  const places = [
    ['Dave Example', 1],
    ['Carol Example', 2],
    ['Bob Example', 3],
  ];
  expect(placesOf(listed(ordered.body))).toEqual(places);
  await activeGuardian(server, ann.token, 'Eve Example');
  expect(placesOf(listed((await ann.call('GET /web/guardians')).body))).toEqual([...places, ['Eve Example', null]]);
});

test('guardians who are left out of an order come last, in the order that they had', async () => {
  const { bob, carol, dave, order, names } = await family();
  await order(carol, dave, bob);
  await order(bob);
  expect(await names()).toEqual(['Bob', 'Carol', 'Dave']);
  await order();
  expect(await names()).toEqual(['Bob', 'Carol', 'Dave']);
});

test('an order with an unknown guardian, another account’s, the same one twice or too many is refused and changes nothing', async () => {
  const { ann, bob, carol, dave, order, names, logged } = await family();
  await order(carol);
  const other = await family();
  const before = await logged();
  for (const uuid of [randomUUID(), other.bob]) {
    expect(await order(uuid, dave)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
  for (const uuids of [[dave, dave], Array.from({ length: 6 }, () => randomUUID()), ['x']]) {
    expect(await order(...uuids)).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  }
  for (const body of [{}, { order: bob }, { order: null }]) expect((await ann.call('PUT /web/guardians/order', body)).status).toBe(422);
  expect(await server.call('PUT /web/guardians/order', { body: { order: [dave] } })).toMatchObject({ status: 401 });
  expect([await names(), await logged()]).toEqual([['Carol', 'Bob', 'Dave'], before]);
  expect(await other.names()).toEqual(['Bob', 'Carol', 'Dave']);
});

test('an account without guardians, or with one, has nothing to order, and nobody is notified', async () => {
  const { token } = await newcomer(server);
  expect(await server.call('PUT /web/guardians/order', { token, body: { order: [] } })).toMatchObject({
    status: 200,
    body: { guardians: [] },
  });
  const bob = await activeGuardian(server, token);
  expect((await server.call('PUT /web/guardians/order', { token, body: { order: [bob.uuid] } })).status).toBe(200);
  const { items } = (await server.call('GET /web/acts', { token })).body as unknown as { items: { kind: string }[] };
  expect(items.map(({ kind }) => kind)).toEqual(['guardian_added']);
});

test('[P10.4] another order is logged and people get one email about it, no text message; the same order again does neither', async () => {
  const { ann, carol, order, logged } = await family();
  const mails = async () => (await server.mailsTo(ann.email)).map(({ subject }) => subject).filter((subject) => subject.includes('order'));
  await order(carol);
  expect(await logged()).toEqual(['Ann changed the order in which guardians are called: Carol comes first.']);
  expect(await mails()).toEqual(['You changed the order in which guardians are called: Carol comes first']);
  await order(carol);
  expect([(await logged()).length, (await mails()).length]).toEqual([1, 1]);
});

test('[P10.1] in an incident another order waits for a yes, the same one passes; a later no restores the former order', async () => {
  const { ann, bob, carol, dave, order, names, logged } = await family();
  await ann.stops();
  // The yes of Carol and Dave, who have just accepted, does not count yet.
  const waiting = await order(carol, bob, dave);
  expect(waiting).toMatchObject({ status: 409, body: { code: 'held', asked: ['Bob'] } });
  expect((await order(bob, carol, dave)).status).toBe(200);
  expect([await names(), await logged()]).toEqual([['Bob', 'Carol', 'Dave'], []]);
  expect((await ann.asBob('GET /guardian/:id')).body.requests).toMatchObject([
    { uuid: waiting.body.request, wants: ['Ann wants to have Carol called first.'] },
  ]);
  await ann.answer(waiting.body.request, 'yes');
  expect((await order(carol, bob, dave)).status).toBe(200);
  expect(await names()).toEqual(['Carol', 'Bob', 'Dave']);
  expect((await ann.answer(waiting.body.request, 'no')).body).toMatchObject({ state: 'undone' });
  expect(await names()).toEqual(['Bob', 'Carol', 'Dave']);
});

test('a link that is sent again moves no active guardian to the end; an invitation that is renewed comes last', async () => {
  const { ann, bob, names } = await family();
  await ann.call(`POST /web/guardians/${bob}/resend`);
  expect(await names()).toEqual(['Bob', 'Carol', 'Dave']);
  const email = `${randomUUID()}@example.org`;
  const { uuid } = (await ann.call('POST /web/create-guardian', { name: 'Pat Example', email })).body;
  server.clock.turn(1000);
  await ann.call('POST /web/create-guardian', { name: 'Quinn Example', email: `q-${email}` });
  server.clock.turn(1000);
  await ann.call(`POST /web/guardians/${uuid}/resend`);
  expect(await names()).toEqual(['Bob', 'Carol', 'Dave', 'Quinn', 'Pat']);
});

test('orders that arrive together with new guardians give every guardian one place', async () => {
  const { ann, bob, carol, dave, order } = await family();
  const added = ['Pat', 'Quinn'].map((name) => ann.call('POST /web/create-guardian', { name, email: `${randomUUID()}@example.org` }));
  const replies = await Promise.all([order(dave, carol, bob), ...added, order(carol)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const places = listed((await ann.call('GET /web/guardians')).body);
  expect(
    places
      .slice(-2)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['Pat', 'Quinn']);
  const positions = places.flatMap(({ position }) => position ?? []);
  expect(new Set(positions).size).toBe(positions.length);
});
