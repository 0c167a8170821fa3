import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { bundle } from '@porchlight/packaging/bundle.ts';
import { layout } from '@porchlight/packaging/linux/layout.ts';
import { unit } from '@porchlight/packaging/linux/unit.ts';
import { makeUpdate } from '@porchlight/packaging/update.ts';
import { expect, onTestFinished, test } from 'vitest';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { leaveOut } from '../testing/left-out.ts';
import { systemdForTest } from '../testing/systemd.ts';
import { until } from '../testing/until.ts';
import { agentsOn, provoke } from '../testing/update-trial.ts';

const service = 'porchlight-agent.service';
const key = newKeyPair();

/** The service of the package, as far as a test may: with paths of its own, nothing of the system's, and three seconds instead of thirty to be heard. */
const serviceFor = (program: string, env: Record<string, string>) =>
  unit
    .replace(`ExecStart=${layout.program}`, `ExecStart=${program}`)
    .replace(
      /^Environment=.*$/m,
      Object.entries(env)
        .map(([name, value]) => `Environment=${name}=${value}`)
        .join('\n'),
    )
    .replace(/^EnvironmentFile=.*\n/m, '')
    .replace(/^WatchdogSec=.*$/m, 'WatchdogSec=3')
    .replace(/^(State|Runtime)Directory.*\n/gm, '')
    // A view of the disk of its own is not to be had inside that of the test; packaging/linux/unit.test.ts has it.
    .replace(/^(Protect|ReadWritePaths|ReadOnlyPaths).*\n/gm, '');

test('[P4.7] systemd starts the service again when it is killed and when it hangs; an update it follows without a stop', async (context) => {
  if (process.platform !== 'linux') leaveOut(context, 'this is no Linux.');
  const systemd = await systemdForTest(context);
  const [server, place] = [await serverForTest(), await temporaryFolder()];
  const [path, folder] = [join(place, 'porchlight-agent'), join(place, 'data')];
  await mkdir(folder);
  await copyFile(process.execPath, join(place, 'node'));
  const native = createRequire(createRequire(import.meta.url).resolve('koffi')).resolve('@koromix/koffi-linux-x64');
  await copyFile(join(dirname(native), 'linux_x64/koffi.node'), join(place, 'koffi.node'));
  const program = async (version: string) => {
    const script = await bundle('linux-x64', 'koffi.node', { version, target: 'linux-x64', key: key.public_key, program: path });
    return Buffer.from(`#!${join(place, 'node')}\n${script}`);
  };
  await writeFile(path, await program('1.0.0'), { mode: 0o755 });
  await writeFile(join(place, 'code'), 'ABCD-EFGH\n');
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const env = { PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: folder, AGENT_CODE_FILE: join(place, 'code'), AGENT_LOOPBACK_PORT: port };
  await systemd.add(service, serviceFor(path, env));
  onTestFinished(() => {
    for (const pid of agentsOn(folder)) process.kill(pid, 'SIGKILL');
  });
  const main = async () => Number(await systemd.property(service, 'MainPID'));
  const restarts = async () => Number(await systemd.property(service, 'NRestarts'));
  const version = () =>
    fetch(`http://127.0.0.1:${port}/.well-known/`, { headers: { origin: server.url } })
      .then(async (answer) => ((await answer.json()) as { v: string }).v)
      .catch(() => null);
  const runs = (wanted: string) => until(`version ${wanted}`, async () => (await version()) === wanted, 30_000);

  await systemd.systemctl('start', service);
  await runs('1.0.0');
  await until('the link', () => server.enrolled.length === 1);
  for (const [signal, within] of [
    ['SIGKILL', 5000],
    ['SIGSTOP', 10_000],
  ] as const) {
    const [before, count, from] = [await main(), await restarts(), performance.now()];
    process.kill(before, signal);
    await until(`another one after ${signal}`, async () => (await restarts()) > count && (await version()) === '1.0.0', 30_000);
    expect(performance.now() - from).toBeLessThan(within);
    expect(await main()).not.toBe(before);
  }

  const old = await main();
  const next = {
    target: 'linux-x64' as const,
    agent: await program('1.0.1'),
    native: { name: 'koffi.node', content: await readFile(join(place, 'koffi.node')) },
  };
  const { manifest, files } = makeUpdate([next], '1.0.1', key, new Date());
  server.update.manifest = manifest;
  for (const [sha256, content] of files) server.update.files.set(sha256, content);
  // It looks when it starts; that count begins anew with it.
  await systemd.systemctl('restart', service);
  const ran = await provoke(server, () => server.update.fetched > 0);
  await runs('1.0.1');
  const successor = await until('the successor alone', async () => {
    const all = agentsOn(folder);
    return all.length === 1 && all[0] !== old ? all[0] : null;
  });
  expect(await main()).toBe(successor);
  expect([await systemd.property(service, 'ActiveState'), await restarts()]).toEqual(['active', 0]);
  expect(Math.max(...ran)).toBeLessThan(2000);
  // It is heard: longer than systemd waits for a word, nothing happens.
  const since = performance.now();
  await until('three times as long', () => performance.now() - since > 7000);
  expect([await main(), await version(), server.enrolled.length]).toEqual([successor, '1.0.1', 1]);
  await systemd.systemctl('stop', service);
  expect(agentsOn(folder)).toEqual([]);
}, 180_000);
