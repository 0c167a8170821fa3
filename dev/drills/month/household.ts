import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, startAgent } from '@porchlight/agent/agent.ts';
import { openStore } from '@porchlight/agent/state/store.ts';
import { fakeSystem } from '@porchlight/agent/testing/fake-os.ts';
import { minute } from '@porchlight/contract/time.ts';
import { insertGuardian } from '@porchlight/server/testing/insert-people.ts';
import { fakeAddress, person } from '@porchlight/server/testing/world.ts';
import { until } from '../../until.ts';
import { type Message, type Town, zone } from './town.ts';

/** What a program of this Windows computer is called, and who signed it. */
const programs = {
  browser: { name: 'chrome.exe', signer: 'Google LLC' },
  anydesk: { name: 'AnyDesk.exe', signer: 'philandro Software GmbH' },
  teamviewer: { name: 'TeamViewer.exe', signer: 'TeamViewer Germany GmbH' },
};

export interface Member {
  name: 'Ann' | 'Bob';
  email: string;
  /** E.164. */
  phone: string;
}

/** Ann with a Windows computer of her own, and her guardian Bob. */
export interface Household {
  name: string;
  members: Member[];
  computer: Awaited<ReturnType<typeof windowsComputer>>;
  /** A call of Bob's page; throws unless it is answered with 200. */
  asBob(key: string, body?: object): Promise<unknown>;
  /** The code that Bob has just had texted. */
  codeOfBob(): Promise<string>;
  incidents(): Promise<{ uuid: string; over: Date | null }[]>;
  /** Bob says about every open incident that it is over. */
  endIncidents(): Promise<void>;
  sentTo(member: Member): Message[];
  close(): Promise<void>;
}

type Program = ReturnType<ReturnType<typeof fakeSystem>['start']>;

/** `nth`: of the town, for addresses and numbers of its own. */
export async function moveIn(town: Town, name: string, nth: number): Promise<Household> {
  const { server, sent } = town;
  const [annsPhone = '', bobsPhone = ''] = [1, 2].map((n) => `+120255501${nth}${n}`);
  const holder = await person(server, 'Ann Example');
  const { body: created } = await server.call('POST /web/create-device', { token: holder.token, body: { name: 'Den PC' } });
  const computer = await windowsComputer(town, String(created.uuid));
  await computer.link(String(created.login_code));
  const bob = await insertGuardian(server.people, holder.token, 'Bob Example', `bob-${nth}@example.org`);
  if (!bob) throw new Error('The guardian was not inserted.');
  const known = { phone_number: annsPhone, phone_number_verified: true };
  await server.db.updateTable('accounts').set(known).where('email', '=', holder.email).execute();
  await server.db
    .updateTable('guardians')
    .set({ phone_number: bobsPhone, phone_number_verified: true, phone_verified_time: server.clock.now() })
    .where('uuid', '=', bob.uuid)
    .execute();
  const bobsPlace = fakeAddress();
  const asBob = async (key: string, body?: object) => {
    const headers = { ...bob.session, 'x-forwarded-for': bobsPlace };
    const reply = await server.call(key.replace(':id', bob.uuid), { headers, ...(body ? { body } : {}) });
    if (reply.status !== 200) throw new Error(`${name}: ${key} answered ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const codeOfBob = async () => {
    await asBob('POST /guardian/:id/answer-code');
    const [text] = await server.textsTo(bobsPhone);
    return /\b\d{6}\b/.exec(text?.body ?? '')?.[0] ?? '';
  };
  const incidents = () => server.db.selectFrom('incidents').select(['uuid', 'over']).where('device', '=', computer.device).execute();
  return {
    ...{ name, computer, asBob, codeOfBob },
    members: [
      { name: 'Ann', email: holder.email, phone: annsPhone },
      { name: 'Bob', email: bob.email, phone: bobsPhone },
    ],
    incidents,
    async endIncidents() {
      for (const { uuid, over } of await incidents())
        if (!over) await asBob(`POST /guardian/:id/incidents/${uuid}`, { answer: 'over', code: await codeOfBob() });
    },
    sentTo: ({ email, phone }) => sent.filter(({ to }) => to === email || to === phone),
    close: computer.close,
  };
}

/** A real agent on a simulated Windows, which is switched on in the evening and off again. */
async function windowsComputer(town: Town, device: string) {
  const { server, url } = town;
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-month-'));
  const simulated = fakeSystem();
  const ended: string[] = [];
  const info = { name: 'DESKTOP-1', platform: 'windows' as const, os_version: '11', arch: 'x64', time_zone: zone };
  const os = {
    ...simulated,
    info: () => info,
    endTree: (...args: Parameters<typeof simulated.endTree>) => {
      ended.push(args[0].program.name);
      return simulated.endTree(...args);
    },
  };
  let boot = 0;
  let agent: Agent | null = null;
  const start = async () => {
    boot += 1;
    const bootId = `boot ${boot}`;
    const bootedAt = server.clock.now().getTime() - minute;
    const store = await openStore(folder);
    agent = await startAgent({
      ...{ os, store, server: url, version: '1.0.0', quarantineFolder: null, freeAgent: false, loopback_port: 0, sites: null },
      now: () => server.clock.now(),
      readClock: () => ({ wall: server.clock.now().getTime(), up: server.clock.now().getTime() - bootedAt, boot: bootId }),
      random: Math.random,
      log: () => {},
    });
    return { agent, store };
  };
  const switchOff = async () => {
    if (!agent) return;
    simulated.running.clear();
    town.computers_on -= 1;
    await agent.close('shutdown');
    agent = null;
  };
  const isOn = async () => {
    town.computers_on += 1;
    await until('the server to know that the computer is on', async () => {
      const row = await server.db.selectFrom('devices').select('last_seen').where('uuid', '=', device).executeTakeFirstOrThrow();
      const outage = await server.db.selectFrom('device_outages').select('kind').where('device', '=', device).executeTakeFirst();
      return !outage && row.last_seen !== null && row.last_seen >= server.clock.now();
    });
  };
  return {
    device,
    /** The programs that the agent ended. */
    ended,
    async link(code: string) {
      const { agent, store } = await start();
      await agent.link.byCode(code);
      await until('policy and definitions', async () => (await store.policy()) && (await store.definitions()));
      await isOn();
    },
    async switchOn() {
      await start();
      await isOn();
    },
    switchOff,
    start(which: keyof typeof programs) {
      const { name, signer } = programs[which];
      return simulated.start({ name, path: `C:\\Program Files\\${which}\\${name}`, program: { os: 'windows', name, signer } });
    },
    runs: (program: Program) => simulated.running.has(program),
    /** Somebody closes a program. Whether it still ran. */
    quit: (program: Program) => simulated.running.delete(program),
    /** How often the agent's window was opened. */
    windows: () => simulated.opened.length,
    async close() {
      await switchOff();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
