import { createSocket } from 'node:dgram';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverKeys } from '@porchlight/contract/agent.ts';
import { signDocument } from '@porchlight/definitions/signature.ts';
import type { Program } from '@porchlight/packaging/programs.ts';
import { releaseKey } from '@porchlight/packaging/release-key.ts';
import { makeUpdate } from '@porchlight/packaging/update.ts';
import { call } from '../call.ts';
import { acceptedGuardian } from '../guardians.ts';
import { registeredPerson } from '../people.ts';
import { freePort } from '../ports.ts';
import { root } from '../root.ts';
import { until } from '../until.ts';
import { startWine } from '../wine.ts';
import { startWorld } from '../world.ts';
import { buildAgent, stageAgent } from './build.ts';

export type Scene = Awaited<ReturnType<typeof startScene>>;

/** A Windows, a server whose installers lie in a folder of its own, a family, and a device of theirs that waits for its computer. */
export async function startScene() {
  const work = await mkdtemp(join(tmpdir(), 'porchlight-windows-'));
  const offered = join(work, 'installers');
  const key = await releaseKey(join(root, '.cache', 'windows', 'release-key.json'));
  const [program, wine, world, port] = await Promise.all([
    buildAgent('1.0.0', key.public_key),
    startWine(),
    startWorld({ env: { INSTALLERS_DIR: offered } }),
    freePort(),
  ]);
  const person = await registeredPerson(world);
  const guardian = await acceptedGuardian(world, person);
  const device = await call(world.url, 'POST /web/create-device', { token: person.token, body: { name: 'Mum’s PC' } });
  const keys = serverKeys.parse(await call(world.url, 'GET /agent/server', {}));
  const stage = join(work, 'stage');
  await stageAgent(stage, program, signDocument(keys, key));

  const service = async (name: string) => (await wine.run('sc', 'query', name)).said;
  const onC = (path: string) => join(wine.drive, ...path.split('\\'));
  return {
    ...{ work, stage, wine, world, port, person, guardian, device, key, program, onC },
    detections: async () =>
      (await call(world.url, 'GET /web/detections', { token: person.token, query: { length: 100 } })).items.map(({ info }) => info),
    /** What a key of the registry says, as `reg` writes it. */
    registry: async (...args: string[]) => (await wine.run('reg', 'query', ...args)).said,
    service,
    /** Stops and starts our service. */
    async restart(): Promise<void> {
      await wine.run('net', 'stop', 'Porchlight');
      await until('its end', async () => (await service('Porchlight')).includes('STOPPED'));
      await wine.run('net', 'start', 'Porchlight');
    },
    log: () => readFile(onC('ProgramData\\Porchlight\\agent.log'), 'utf8').catch(() => ''),
    hosts: () => readFile(onC('windows\\system32\\drivers\\etc\\hosts'), 'utf8').catch(() => ''),
    /** What the agent answers on loopback; null when nobody does. */
    answers: () =>
      fetch(`http://127.0.0.1:${port}/.well-known/`, { headers: { origin: world.url } }).then(
        async (answer) => (await answer.json()) as { v: string },
        () => null,
      ),
    mailed: async (words: string) => (await world.mailbox()).filter(({ to, text }) => to.includes(guardian.email) && text.includes(words)),
    /** Offers an update to whoever asks from now on. */
    async offer(version: string, next: Program): Promise<void> {
      const { manifest, files } = makeUpdate([next], version, key, new Date());
      await mkdir(join(offered, 'update'), { recursive: true });
      for (const [sha256, content] of files) await writeFile(join(offered, 'update', `${sha256}.gz`), content);
      await writeFile(join(offered, 'update', 'manifest.json'), JSON.stringify(manifest));
    },
    async close() {
      await wine.close();
      await world.close();
      await rm(work, { recursive: true, force: true });
    },
  };
}

/** Holds the port of names, as another program would. Null where we may not, or somebody does already. */
export async function takeNamePort(): Promise<(() => Promise<void>) | null> {
  const place = { host: '127.0.0.1', port: 53 };
  const udp = createSocket('udp4');
  const tcp = createServer();
  const held = await Promise.all([
    new Promise<boolean>((resolve) => void udp.once('error', () => resolve(false)).bind(place.port, place.host, () => resolve(true))),
    new Promise<boolean>((resolve) => void tcp.once('error', () => resolve(false)).listen(place, () => resolve(true))),
  ]);
  let freed = false;
  const free = async () => {
    if (freed) return;
    freed = true;
    if (held[0]) await new Promise<void>((resolve) => void udp.close(resolve));
    if (held[1]) await new Promise<unknown>((resolve) => void tcp.close(resolve));
  };
  if (held.every(Boolean)) return free;
  await free();
  return null;
}
