import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceAt, ServiceState } from '../port.ts';

/** Timeouts of systemctl. */
const TIMEOUTS_MS = { start: 100_000, answer: 10_000 };
/** How long a service is killed repeatedly. */
const END_TIMEOUT_MS = 10_000;

/** Folders of runtime drop-ins, which a reboot deletes: systemd.unit(5). */
const runtimeFolders = { system: '/run/systemd/system', user: '/run/systemd/user' };
/** Sorts last and so overrides other drop-ins. */
const dropInName = 'zz-porchlight.conf';
const dropIn = '[Service]\nRestart=no\nKillSignal=SIGKILL\nExecStop=\nExecStopPost=\n';

/** `firstArgs`: the first arguments of systemctl. */
export function services(systemctl: string | null, firstArgs: string[] = [], folders = runtimeFolders) {
  const runForService = (service: ServiceAt, ...args: string[]): Promise<string | null> =>
    /^[\w@.:\\-]+$/.test(service.name) && !service.name.startsWith('-')
      ? runSystemctl(service, ...args, '--', service.name)
      : Promise.resolve(null);
  const reloadUnits = (service: ServiceAt) => runSystemctl(service, 'daemon-reload');
  const runSystemctl = (service: Pick<ServiceAt, 'user'>, ...args: string[]): Promise<string | null> =>
    new Promise((resolve) => {
      if (!systemctl) return resolve(null);
      const userArgs = service.user === undefined ? [] : ['--user', `--machine=${service.user}@.host`];
      const allArgs = [...firstArgs, '--no-ask-password', ...userArgs, ...args];
      const timeout = args[0] === 'start' ? TIMEOUTS_MS.start : TIMEOUTS_MS.answer;
      execFile(systemctl, allArgs, { timeout, env: { ...process.env, LC_ALL: 'C' } }, (_err, stdout) => resolve(stdout.trim()));
    });
  const serviceState = async (service: ServiceAt): Promise<ServiceState | null> => {
    const enabled = await runForService(service, 'is-enabled');
    if (enabled === null || enabled === '' || enabled === 'not-found') return null;
    return {
      enabled: enabled.startsWith('enabled'),
      running: ['active', 'activating', 'reloading'].includes((await runForService(service, 'is-active')) ?? ''),
    };
  };
  /**
   * An ordinary stop gives a service 90 s, and a killed service restarts. So the service is suspended, a runtime drop-in forbids restarts
   * and makes a stop kill, and then it is stopped.
   */
  const endService = async (service: ServiceAt) => {
    await runForService(service, 'kill', '--signal=SIGSTOP');
    const folder = join(service.user === undefined ? folders.system : folders.user, `${service.name}.d`);
    const isWritten = await writeDropIn(folder);
    if (isWritten) await reloadUnits(service);
    try {
      await runForService(service, 'stop', '--no-block');
      for (const deadline = performance.now() + END_TIMEOUT_MS; performance.now() < deadline; await sleep(20)) {
        if (!(await isActive(service))) return;
        await runForService(service, 'kill', '--signal=SIGKILL');
      }
    } finally {
      if (isWritten) {
        await rm(join(folder, dropInName), { force: true });
        // The folder may contain other drop-ins.
        await rmdir(folder).catch(() => {});
        await reloadUnits(service);
      }
    }
  };
  const isActive = async (service: ServiceAt) =>
    ['active', 'activating', 'reloading', 'deactivating'].includes((await runForService(service, 'is-active')) ?? '');
  return {
    serviceState,
    async setService(service: ServiceAt, wantedState: ServiceState): Promise<boolean> {
      const stateBefore = await serviceState(service);
      if (!stateBefore) return !(wantedState.enabled || wantedState.running);
      if (stateBefore.enabled !== wantedState.enabled) await runForService(service, wantedState.enabled ? 'enable' : 'disable');
      if (stateBefore.running !== wantedState.running) await (wantedState.running ? runForService(service, 'start') : endService(service));
      const stateAfter = await serviceState(service);
      return stateAfter !== null && stateAfter.enabled === wantedState.enabled && stateAfter.running === wantedState.running;
    },
  };
}

/** False where the folder is not writable: then the service is killed repeatedly. */
async function writeDropIn(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, dropInName), dropIn);
    // Readable for the user's systemd despite the agent's umask.
    await chmod(folder, 0o755);
    await chmod(join(folder, dropInName), 0o644);
    return true;
  } catch {
    return false;
  }
}
