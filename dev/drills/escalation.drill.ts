import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { minute } from '@porchlight/contract/time.ts';
import { type Db, openDb } from '@porchlight/server/db/open.ts';
import { documentInMemory } from '@porchlight/simulators/testing/stored.ts';
import { openTwilioSimulator, type TwilioSimulator } from '@porchlight/simulators/twilio/twilio.ts';
import { call } from '../call.ts';
import { passEscalationTime } from '../escalation-time.ts';
import { acceptedGuardian } from '../guardians.ts';
import { linkedDevice, type Person, registeredPerson } from '../people.ts';
import { freePort } from '../ports.ts';
import { openTestPostgres } from '../test-postgres.ts';
import { until } from '../until.ts';
import { startWorld, type World } from '../world.ts';
import { inMemory, worldWithOwnMailServer } from './own-mail-server.ts';
import { newDetection } from './reported-alerts.ts';

export const minutes = 5;

/** A job of a killed server runs again after its lease of half a minute. */
const step_max = 90_000;
const numbers = { Bob: '+12025550101', Carol: '+12025550102' };
const mumsNumber = '+12025550103';

interface Scene {
  worlds: World[];
  db: Db;
  twilio: TwilioSimulator;
  holder: Person;
  people: { email: string }[];
  incident: string;
}

/**
 * Lets an incident escalate on three servers with one database, and kills one of them in each step. Then compares: every message and every call
 * went out, none of them twice, and after a pressed 1 nothing more. Time is made to pass by moving the stored times back.
 */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') return [`This drill needs a PostgreSQL: ${postgres}.`];
  const worlds: World[] = [];
  const port = await freePort();
  const public_url = `http://localhost:${port}`;
  const twilio = await openTwilioSimulator(
    { items: inMemory(), opted_out: documentInMemory({ numbers: [] }), calls: documentInMemory({ calls: [] }) },
    { public_url, post: (...form) => postToAny(worlds, ...form) },
    { timers: false },
  );
  const { account_sid, auth_token, from, api_base } = twilio.account;
  const env = {
    ...{ SECRET_KEY: 'one secret key for all three of the servers', TEXT_COUNTRIES: 'all', VOICE: 'on', PUSH: 'off' },
    ...{ TWILIO_ACCOUNT_SID: account_sid, TWILIO_AUTH_TOKEN: auth_token, TWILIO_FROM: from, TWILIO_API_BASE: api_base },
  };
  const options = { databaseUrl: postgres.url, publicUrl: public_url };
  const { db, close } = openDb(postgres.url, 2);
  try {
    const first = await worldWithOwnMailServer({ ...options, port, env });
    worlds.push(first);
    for (const _other of [1, 2]) {
      const world = await startWorld({ ...options, env: { ...env, SMTP_URL: first.smtpUrl } });
      worlds.push({ ...world, mailbox: first.mailbox });
    }
    const scene = await openIncident(worlds, db, twilio);
    return await escalate(scene, log);
  } finally {
    // The first one owns the mail server, which the others still use.
    for (const world of worlds.reverse()) await world.close();
    await close();
    await twilio.close();
    await postgres.stop();
  }
}

/** Posts a form of the telephone network to a server that runs, as a load balancer does. */
async function postToAny(worlds: World[], path: string, form: string, signature: string): Promise<{ status: number; body: string }> {
  for (const world of worlds.filter((one) => one.isServerRunning())) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
    const answer = await fetch(world.url + path, { method: 'POST', headers, body: form }).catch(() => null);
    if (answer && answer.status < 500) return { status: answer.status, body: await answer.text() };
  }
  throw new Error('no server answers the telephone network');
}

/** Ann with two guardians, whose numbers and Mum's are known for long, and a program that was started. */
async function openIncident(worlds: World[], db: Db, twilio: TwilioSimulator): Promise<Scene> {
  const [world] = worlds as [World];
  const holder = await registeredPerson(world);
  const guardians = [];
  for (const name of ['Bob', 'Carol'] as const) {
    const guardian = await acceptedGuardian(world, holder, name);
    guardians.push(guardian);
    const long_ago = new Date(Date.now() - 100 * 60 * minute);
    const known = { accepted: long_ago, phone_number: numbers[name], phone_number_verified: true, phone_verified_time: long_ago };
    await db.updateTable('guardians').set(known).where('uuid', '=', guardian.uuid).execute();
  }
  const device = await linkedDevice(world, holder);
  await db.updateTable('accounts').set({ phone_number: mumsNumber, phone_number_verified: true }).execute();
  const asked = new Date();
  await db.insertInto('call_consents').values({ device: device.uuid, phone_number: mumsNumber, asked, agreed: asked }).execute();
  const people = [holder, ...guardians];
  await withKill(worlds, async () => {
    await until('the report to be taken', () => report(worlds, device.token), step_max, 100);
  });
  const { items } = await call(running(worlds).url, 'GET /web/incidents', { token: holder.token, query: {} });
  return { worlds, db, twilio, holder, people, incident: items[0]?.uuid ?? '' };
}

const detections = [{ ...newDetection(), name: 'AnyDesk', identifier: 'anydesk' }];
const report = (worlds: World[], token: string): Promise<boolean> =>
  call(running(worlds).url, 'POST /agent/detections', { token, body: { detections } }).then(
    () => true,
    () => false,
  );

const running = (worlds: World[]): World => worlds.find((world) => world.isServerRunning()) ?? (worlds[0] as World);

let turn = 0;
/** Kills one server after the other, at a moment within the step, and starts it again when the step is done. */
async function withKill(worlds: World[], step: () => Promise<unknown>): Promise<void> {
  const world = worlds[turn++ % worlds.length] as World;
  const kill = async () => {
    await sleep(randomInt(0, 150));
    await world.killServer('SIGKILL');
  };
  const results = await Promise.allSettled([step(), kill()]);
  await world.startServer();
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function escalate(scene: Scene, log: (line: string) => void): Promise<string[]> {
  const { worlds, db, twilio } = scene;
  const problems: string[] = [];
  const callsTo = async (number: string) => (await twilio.calls.list()).filter(({ to }) => to === number);
  const ringing = async (number: string) => (await callsTo(number)).find(({ state }) => state === 'ringing')?.id;
  const rings = (name: string, number: string) => until(`a call to ${name}`, () => ringing(number), step_max, 100);
  const subjects = async (email: string, start: string) =>
    new Set(
      (await worlds[0]?.mailbox())?.filter(({ to, subject }) => to.includes(email) && subject.startsWith(start)).map((m) => m.message_id),
    );
  const secondMailsCame = async () => {
    for (const { email } of scene.people) if ((await subjects(email, 'Nobody has answered yet')).size === 0) return false;
    return true;
  };

  const step = async (what: string, ms: number, wait: () => Promise<unknown>) => {
    await withKill(worlds, async () => {
      await passEscalationTime(db, ms);
      await wait();
    });
    log(`${what}, and one server was killed meanwhile`);
  };
  await step('messages again', 3 * minute, () => until('the second messages', secondMailsCame, step_max, 100));
  await step('a call to Bob', 3 * minute, () => rings('Bob', numbers.Bob));
  await step('Bob is busy, and Carol is called', 0, async () => {
    await twilio.calls.busy((await ringing(numbers.Bob)) ?? '');
    await rings('Carol', numbers.Carol);
  });
  await step('Carol does not pick up, and Bob is called again', 2 * minute, async () => {
    await twilio.calls.ignore((await ringing(numbers.Carol)) ?? '');
    await rings('Bob', numbers.Bob);
  });
  await step('the user of the computer is called', 2 * minute, () => rings('Mum', mumsNumber));
  await step('Bob’s voicemail picks up, and Carol is called again', 0, async () => {
    await twilio.calls.voicemail((await ringing(numbers.Bob)) ?? '');
    await rings('Carol', numbers.Carol);
  });
  await step('Carol presses 1', 0, async () => {
    const id = (await ringing(numbers.Carol)) ?? '';
    await twilio.calls.answer(id);
    await twilio.calls.press(id, '1');
  });
  await passEscalationTime(db, 30 * minute);
  await sleep(7_000);

  const { escalation, on_it, events } = await call(running(worlds).url, 'GET /web/incidents/:uuid', {
    token: scene.holder.token,
    params: { uuid: scene.incident },
  });
  if (escalation?.state !== 'answered' || on_it[0]?.by !== 'Carol')
    problems.push(`the incident is ${escalation?.state}, by ${on_it[0]?.by}`);
  for (const { words } of events.filter(({ kind }) => kind === 'reached')) log(words);
  for (const [name, number, expected] of [
    ['Bob', numbers.Bob, 2],
    ['Carol', numbers.Carol, 2],
    ['Mum', mumsNumber, 1],
  ] as const) {
    const calls = (await callsTo(number)).length;
    if (calls !== expected) problems.push(`${name} was called ${calls} times and not ${expected}`);
  }
  for (const { email } of scene.people) {
    const mails = (await subjects(email, 'Nobody has answered yet')).size;
    if (mails !== 1) problems.push(`somebody has ${mails} different mails that nobody has answered`);
  }
  for (const number of Object.values(numbers)) {
    const texts = (await twilio.list()).filter(({ to, body }) => to === number && body.includes('Nobody has answered yet'));
    if (texts.length !== 1) problems.push(`somebody has ${texts.length} texts that nobody has answered`);
  }
  return problems;
}
