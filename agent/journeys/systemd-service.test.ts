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
import { skipTest } from '../testing/left-out.ts';
import { systemdForTest } from '../testing/systemd.ts';
import { until } from '../testing/until.ts';
import { agentsOn, provoke } from '../testing/update-trial.ts';

const service = 'porchlight-agent.service';
const key = newKeyPair();

/** The package's service with test paths, without system resources, and with a watchdog of three seconds instead of thirty. */
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
    // Nested mount namespaces are impossible here; packaging/linux/unit.test.ts tests those.
    .replace(/^(Protect|ReadWritePaths|ReadOnlyPaths).*\n/gm, '');

test('[P4.7] systemd restarts the service when its agent is killed or hangs, and follows an update without restarting it', async (context) => {
  if (process.platform !== 'linux') skipTest(context, 'this is no Linux.');
  const systemd = await systemdForTest(context);
  const [server, programFolder] = [await serverForTest(), await temporaryFolder()];
  const [path, folder] = [join(programFolder, 'porchlight-agent'), join(programFolder, 'data')];
  await mkdir(folder);
  await copyFile(process.execPath, join(programFolder, 'node'));
  const native = createRequire(createRequire(import.meta.url).resolve('koffi')).resolve('@koromix/koffi-linux-x64');
  await copyFile(join(dirname(native), 'linux_x64/koffi.node'), join(programFolder, 'koffi.node'));
  const program = async (version: string) => {
    const script = await bundle('linux-x64', 'koffi.node', { version, target: 'linux-x64', key: key.public_key, program: path });
    return Buffer.from(`#!${join(programFolder, 'node')}\n${script}`);
  };
  await writeFile(path, await program('1.0.0'), { mode: 0o755 });
  await writeFile(join(programFolder, 'code'), 'ABCD-EFGH\n');
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const env = {
    PORCHLIGHT_SERVER: server.url,
    AGENT_DATA_DIR: folder,
    AGENT_CODE_FILE: join(programFolder, 'code'),
    AGENT_LOOPBACK_PORT: port,
  };
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
  const runs = (expectedVersion: string) => until(`version ${expectedVersion}`, async () => (await version()) === expectedVersion, 30_000);

  await systemd.systemctl('start', service);
  await runs('1.0.0');
  await until('the link', () => server.enrolled.length === 1);
  /** Milliseconds from the kill to the answer of the restarted agent, on this machine and with its load. */
  let crash: number | undefined;
  for (const [signal, limit] of [
    ['SIGKILL', 5000],
    ['SIGSTOP', 10_000],
  ] as const) {
    const [pidBefore, restartsBefore, startedAt] = [await main(), await restarts(), performance.now()];
    process.kill(pidBefore, signal);
    await until(`another one after ${signal}`, async () => (await restarts()) > restartsBefore && (await version()) === '1.0.0', 30_000);
    crash ??= performance.now() - startedAt;
    expect(performance.now() - startedAt).toBeLessThan(limit);
    expect(await main()).not.toBe(pidBefore);
  }

  const oldPid = await main();
  const nextVersion = {
    target: 'linux-x64' as const,
    agent: await program('1.0.1'),
    native: { name: 'koffi.node', content: await readFile(join(programFolder, 'koffi.node')) },
  };
  const { manifest, files } = makeUpdate([nextVersion], '1.0.1', key, new Date());
  server.update.manifest = manifest;
  for (const [sha256, content] of files) server.update.files.set(sha256, content);
  // Starting the service triggers the update check; systemd resets its restart counter.
  await systemd.systemctl('restart', service);
  const ran = await provoke(server, () => server.update.fetched > 0);
  await runs('1.0.1');
  const successor = await until('the successor alone', async () => {
    const pids = agentsOn(folder);
    return pids.length === 1 && pids[0] !== oldPid ? pids[0] : null;
  });
  expect(await main()).toBe(successor);
  expect([await systemd.property(service, 'ActiveState'), await restarts()]).toEqual(['active', 0]);
  // A gap would be at least as long as what a crash leaves.
  expect(Math.max(...ran)).toBeLessThan(Number(crash));
  const since = performance.now();
  await until('three times as long', () => performance.now() - since > 7000);
  expect([await main(), await version(), server.enrolled.length]).toEqual([successor, '1.0.1', 1]);
  await systemd.systemctl('stop', service);
  expect(agentsOn(folder)).toEqual([]);
}, 180_000);
