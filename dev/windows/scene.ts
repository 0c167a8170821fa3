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

/** A Windows, a server with its own folder of installers, an account, and a device that waits for its computer. */
export async function startScene() {
  const workFolder = await mkdtemp(join(tmpdir(), 'porchlight-windows-'));
  const updatesFolder = join(workFolder, 'installers');
  const key = await releaseKey(join(root, '.cache', 'windows', 'release-key.json'));
  const [program, wine, world, port] = await Promise.all([
    buildAgent('1.0.0', key.public_key),
    startWine(),
    startWorld({ env: { INSTALLERS_DIR: updatesFolder } }),
    freePort(),
  ]);
  const person = await registeredPerson(world);
  const guardian = await acceptedGuardian(world, person);
  const device = await call(world.url, 'POST /web/create-device', { token: person.token, body: { name: 'Mum’s PC' } });
  const keys = serverKeys.parse(await call(world.url, 'GET /agent/server', {}));
  const stageFolder = join(workFolder, 'stage');
  await stageAgent(stageFolder, program, signDocument(keys, key));

  const service = async (name: string) => (await wine.run('sc', 'query', name)).output;
  const pathOnDriveC = (path: string) => join(wine.drive, ...path.split('\\'));
  return {
    ...{ work: workFolder, stage: stageFolder, wine, world, port, person, guardian, device, key, program, onC: pathOnDriveC },
    detections: async () =>
      (await call(world.url, 'GET /web/detections', { token: person.token, query: { length: 100 } })).items.map(({ info }) => info),
    registry: async (...args: string[]) => (await wine.run('reg', 'query', ...args)).output,
    service,
    async restart(): Promise<void> {
      await wine.run('net', 'stop', 'Porchlight');
      await until('its end', async () => (await service('Porchlight')).includes('STOPPED'));
      await wine.run('net', 'start', 'Porchlight');
    },
    log: () => readFile(pathOnDriveC('ProgramData\\Porchlight\\agent.log'), 'utf8').catch(() => ''),
    hosts: () => readFile(pathOnDriveC('windows\\system32\\drivers\\etc\\hosts'), 'utf8').catch(() => ''),
    /** The agent's answer on loopback; null if the agent does not answer. */
    answers: () =>
      fetch(`http://127.0.0.1:${port}/.well-known/`, { headers: { origin: world.url } }).then(
        async (answer) => (await answer.json()) as { v: string },
        () => null,
      ),
    mailed: async (expectedText: string) =>
      (await world.mailbox()).filter(({ to, text }) => to.includes(guardian.email) && text.includes(expectedText)),
    async offer(version: string, nextProgram: Program): Promise<void> {
      const { manifest, files } = makeUpdate([nextProgram], version, key, new Date());
      await mkdir(join(updatesFolder, 'update'), { recursive: true });
      for (const [sha256, content] of files) await writeFile(join(updatesFolder, 'update', `${sha256}.gz`), content);
      await writeFile(join(updatesFolder, 'update', 'manifest.json'), JSON.stringify(manifest));
    },
    async close() {
      await wine.close();
      await world.close();
      await rm(workFolder, { recursive: true, force: true });
    },
  };
}

/** Listens on the DNS port, as another program would. Null if the port is used or needs more rights. */
export async function takeDnsPort(): Promise<(() => Promise<void>) | null> {
  const dnsAddress = { host: '127.0.0.1', port: 53 };
  const udp = createSocket('udp4');
  const tcp = createServer();
  const listening = await Promise.all([
    new Promise<boolean>(
      (resolve) => void udp.once('error', () => resolve(false)).bind(dnsAddress.port, dnsAddress.host, () => resolve(true)),
    ),
    new Promise<boolean>((resolve) => void tcp.once('error', () => resolve(false)).listen(dnsAddress, () => resolve(true))),
  ]);
  let freed = false;
  const releasePort = async () => {
    if (freed) return;
    freed = true;
    if (listening[0]) await new Promise<void>((resolve) => void udp.close(resolve));
    if (listening[1]) await new Promise<unknown>((resolve) => void tcp.close(resolve));
  };
  if (listening.every(Boolean)) return releasePort;
  await releasePort();
  return null;
}

/** Fails at once where wine does not take a value, since the agent would only miss it much later. */
export async function addValue({ wine }: Pick<Scene, 'wine'>, key: string, name: string, text: string): Promise<void> {
  const { code, output } = await wine.run('reg', 'add', key, '/v', name, '/d', text);
  if (code !== 0) throw new Error(`wine did not take the value ${name} of ${key}: ${output}`);
}

/** For a failed test: the end of the agent's log, and what its scans found and did. */
export async function lastWords({ log, onC }: Pick<Scene, 'log' | 'onC'>): Promise<string> {
  const notes = await readFile(onC('ProgramData\\Porchlight\\kept\\looks\\notes.json'), 'utf8').catch((err: Error) => err.message);
  return `What the agent said last:\n${(await log()).split('\n').slice(-25).join('\n')}\nWhat its scans noted: ${notes}`;
}
