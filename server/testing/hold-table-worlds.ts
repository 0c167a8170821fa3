import { randomUUID } from 'node:crypto';
import { hour } from '@porchlight/contract/time.ts';
import { agentInfo, checkInBody } from './agent-info.ts';
import { type AskFirst, type Caller, callers, decisions, type Family } from './hold-table-decisions.ts';
import { detection, fakeAddress, goodPassword, guardianSession, type Loose, linkIn, person, type Reply, type TestServer } from './world.ts';

/** The operator's command calls no endpoint. */
type WebCaller = Exclude<Caller, 'operator'>;

export interface Combination {
  family: Family;
  trouble: 'calm' | 'incident';
  ask_first: AskFirst;
  caller: WebCaller;
}

export const titleOf = ({ family, trouble, ask_first, caller }: Combination) => `${family}, ${trouble}, ask first ${ask_first}, ${caller}`;

/** A family in one state of the table. Holder and guardian call from the combination's place. */
export interface World extends Combination {
  server: TestServer;
  unique: string;
  account: string;
  /** The address of both devices. */
  home: string;
  /** The device of the incident, with the strict profile. */
  den: { uuid: string; agent: string };
  /** A device with a profile of the account's own. */
  attic: { uuid: string; agent: string };
  profile: string;
  /** A device that is not connected, whose user agreed to be called. */
  mums: string;
  /** The guardian that the combination names, also if he was removed. */
  bob: { uuid: string; session: Record<string, string> } | null;
  /** A guardian who declined. */
  declined: string;
  /** The device that was seen last, of somebody else or of a stranger, who says so. */
  other: { agent: string; home: string } | null;
  /** From the link that confirms a new address. */
  email_token: string;
  /** A call of the holder. */
  call(key: string, body?: object): Promise<Reply>;
  /** A call of the guardian. */
  asBob(key: string, body?: object): Promise<Reply>;
}

/** Every combination of the table that has calls. */
export function allCombinations(): Combination[] {
  const webCallers = callers.filter((caller) => caller !== 'operator');
  return decisions.flatMap(({ family, trouble, ask_first }) =>
    trouble === 'second' ? [] : webCallers.map((caller): Combination => ({ family, trouble, ask_first, caller })),
  );
}

/**
 * Chosen so that each pair of values of two axes occurs, and each caller in an incident of somebody else's device, where the caller
 * alone decides.
 */
export function pairwiseCombinations(): Combination[] {
  const all = allCombinations();
  const families = [...new Set(all.map(({ family }) => family))];
  const states = [
    ['incident', 'off'],
    ['calm', 'on'],
    ['incident', 'on'],
    ['calm', 'off'],
  ] as const;
  const chosen = (one: Combination) => {
    const state = states[(families.indexOf(one.family) + callers.indexOf(one.caller)) % states.length];
    return one.trouble === state?.[0] && one.ask_first === state[1];
  };
  const decidesAlone = ({ family, trouble, ask_first }: Combination) => family === 'mum’s' && trouble === 'incident' && ask_first === 'off';
  return all.filter((one) => chosen(one) || decidesAlone(one));
}

/** Builds the worlds of one server together, since they share its clock. */
export async function buildWorlds(server: TestServer, combinations: Combination[]): Promise<World[]> {
  const worlds: World[] = [];
  for (const combination of combinations) worlds.push(await connected(server, combination));
  // Guardians of an account's first day may answer at once, so these come later.
  server.clock.turn(25 * hour);
  for (const world of worlds) {
    if (!['new guardian', 'no guardian', 'mum’s, alone'].includes(world.family)) world.bob = await bobOf(world);
  }
  server.clock.turn(48 * hour);
  for (const world of worlds) {
    if (world.family === 'removed yesterday') ok(await world.call(`DELETE /web/guardians/${world.bob?.uuid}`));
  }
  server.clock.turn(24 * hour);
  for (const world of worlds) if (world.family === 'new guardian') world.bob = await bobOf(world);
  // Agents call each day; a device that is seen on fewer than three does not count as somebody else's.
  await server.db.updateTable('devices').set({ days_seen: 3 }).execute();
  for (const world of worlds) if (world.family.startsWith('bought')) world.other = await otherDevice(world, 'Al');
  // Beyond the hour in which a second change waits.
  server.clock.turn(2 * hour);
  for (const world of worlds) await prepareCalls(world);
  return worlds;
}

async function connected(server: TestServer, combination: Combination): Promise<World> {
  const { family, caller } = combination;
  const { token, email } = await person(server);
  const { uuid: account } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  const home = fakeAddress();
  const at = { 'x-forwarded-for': caller === 'device’s address' ? home : fakeAddress() };
  const cookie = caller === 'agent’s window' ? 'near_agent=1' : '';
  const call = (key: string, body?: object) =>
    server.call(key, { token, headers: { ...at, ...(cookie ? { cookie } : {}) }, ...(body ? { body } : {}) });
  const user = family.startsWith('mum’s') ? { name: 'Mum', is_holder: false } : null;
  const link = async (name: string, policy: string | null) => {
    const { uuid, login_code } = ok(await call('POST /web/create-device', { name, policy, person: user }));
    const enrol = { body: { code: login_code, info: agentInfo, enrol_id: randomUUID() }, headers: { 'x-forwarded-for': home } };
    return { uuid: String(uuid), agent: String(ok(await server.call('POST /agent/enrol', enrol)).agent_token) };
  };
  const { uuid } = ok(
    await call('POST /web/policies', {
      name: 'Grandson helps',
      actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' },
    }),
  );
  const profile = String(uuid);
  const world: World = {
    ...combination,
    ...{ server, account, home, profile, call },
    unique: randomUUID(),
    attic: await link('Attic PC', profile),
    den: await link('Den PC', 'strict'),
    bob: null,
    mums: '',
    declined: '',
    other: null,
    email_token: '',
    asBob: (key, body) => {
      const { uuid = '', session = {} } = world.bob ?? {};
      const cookies = [session.cookie, cookie].filter(Boolean).join('; ');
      return server.call(key.replace(':id', uuid), { headers: { ...session, ...at, cookie: cookies }, ...(body ? { body } : {}) });
    },
  };
  if (family === 'own and mum’s') world.other = await otherDevice(world, 'Mum');
  return world;
}

async function otherDevice({ server, call }: World, name: string) {
  const home = fakeAddress();
  const device = { name: `${name}’s PC`, policy: 'strict', person: { name, is_holder: false } };
  const { login_code } = ok(await call('POST /web/create-device', device));
  const enrol = { body: { code: login_code, info: agentInfo, enrol_id: randomUUID() }, headers: { 'x-forwarded-for': home } };
  return { agent: String(ok(await server.call('POST /agent/enrol', enrol)).agent_token), home };
}

async function bobOf({ server, call }: World) {
  const email = `${randomUUID()}@example.org`;
  const uuid = String(ok(await call('POST /web/create-guardian', { name: 'Bob Example', email })).uuid);
  const session = await guardianSession(server, uuid, email);
  ok(await server.call(`POST /guardian/${uuid}/accept`, { headers: session }));
  return { uuid, session };
}

/** What calls need in order to weaken something, and then the trouble. */
async function prepareCalls(world: World): Promise<void> {
  const { server, call, unique, den, home } = world;
  const [declined, newAddress] = [`declined-${unique}@example.org`, `new-${unique}@example.org`];
  world.declined = String(ok(await call('POST /web/create-guardian', { name: 'Dan', email: declined })).uuid);
  ok(await server.call(`POST /guardian/${world.declined}/decline`, { headers: await guardianSession(server, world.declined, declined) }));
  const person = { name: 'Mum', phone_number: '+12025550199', is_holder: false };
  world.mums = String(ok(await call('POST /web/create-device', { name: 'Laptop', policy: null, person })).uuid);
  const [phone_number, agreed] = [person.phone_number, server.clock.now()];
  await server.db.insertInto('call_consents').values({ device: world.mums, phone_number, asked: agreed, agreed }).execute();
  ok(await call('PATCH /web/browsing-protection', { resolver: 'quad9' }));
  ok(await call('PATCH /web/unlisted-protection', { money_sites: ['bank.example'] }));
  // A first number weakens nothing; another one does.
  ok(await call('PATCH /web/profile', { email: newAddress, phone_number: '+12025550143', current_password: goodPassword }));
  const [mail] = await server.mailsTo(newAddress);
  world.email_token = linkIn(mail, '/confirm-email-change/');
  const active = world.family === 'removed yesterday' ? null : world.bob;
  if (active) ok(await call(`PATCH /web/guardians/${active.uuid}`, { may_isolate: true }));
  if (world.ask_first === 'on') ok(await call('PATCH /web/holding', { ask_first: true }));
  const from = ({ agent, home }: { agent: string; home: string }, key: string, body: object) =>
    server.call(key, { token: agent, headers: { 'x-forwarded-for': home }, body });
  const others = world.other ? [world.other] : [];
  for (const one of [{ ...den, home }, ...others]) {
    ok(await from(one, 'POST /agent/check-in', checkInBody));
    const stops = world.trouble === 'incident' && !(one === world.other && world.family === 'bought device');
    if (stops) ok(await from(one, 'POST /agent/detections', { detections: [detection(server)] }));
    server.clock.turn(1000);
  }
  if (world.caller !== 'no password') ok(await call('POST /web/reauthenticate', { password: goodPassword }));
}

function ok({ status, body }: Reply): Loose {
  if (status !== 200) throw new Error(`a preparation was refused (${status}): ${JSON.stringify(body)}`);
  return body;
}
