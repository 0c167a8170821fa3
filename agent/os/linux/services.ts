import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceAt, ServiceState } from '../port.ts';

/** How long systemd may take to start a service, and to answer anything else. In milliseconds. */
const TIMEOUTS_MS = { start: 100_000, answer: 10_000 };
/** How long a service that is killed again and again may take to be gone. Milliseconds. */
const gone = 10_000;

/** Where systemd looks for what is added to units and is gone when the computer starts anew: systemd.unit(5). */
const runtime = { system: '/run/systemd/system', user: '/run/systemd/user' };
/** The last one that counts. */
const dropInName = 'zz-porchlight.conf';
const dropIn = '[Service]\nRestart=no\nKillSignal=SIGKILL\nExecStop=\nExecStopPost=\n';

/** Services through systemctl(1). `more`: arguments that come first. */
export function services(systemctl: string | null, more: string[] = [], folders = runtime) {
  const run = (service: ServiceAt, ...args: string[]): Promise<string | null> =>
    /^[\w@.:\\-]+$/.test(service.name) && !service.name.startsWith('-') ? ask(service, ...args, '--', service.name) : Promise.resolve(null);
  const reload = (service: ServiceAt) => ask(service, 'daemon-reload');
  const ask = (service: Pick<ServiceAt, 'user'>, ...args: string[]): Promise<string | null> =>
    new Promise((resolve) => {
      if (!systemctl) return resolve(null);
      const whose = service.user === undefined ? [] : ['--user', `--machine=${service.user}@.host`];
      const all = [...more, '--no-ask-password', ...whose, ...args];
      const timeout = args[0] === 'start' ? TIMEOUTS_MS.start : TIMEOUTS_MS.answer;
      execFile(systemctl, all, { timeout, env: { ...process.env, LC_ALL: 'C' } }, (_err, stdout) => resolve(stdout.trim()));
    });
  const serviceState = async (service: ServiceAt): Promise<ServiceState | null> => {
    const enabled = await run(service, 'is-enabled');
    // Nothing is said of what is not there.
    if (enabled === null || enabled === '' || enabled === 'not-found') return null;
    return {
      enabled: enabled.startsWith('enabled'),
      running: ['active', 'activating', 'reloading'].includes((await run(service, 'is-active')) ?? ''),
    };
  };
  /**
   * Asked to stop it would have its own time (90 s), and killed it would be started again. So it stands still first; then systemd is told, until the
   * next restart of the computer at most, not to start it again and to kill it where it would ask; and only then to stop it.
   */
  const end = async (service: ServiceAt) => {
    await run(service, 'kill', '--signal=SIGSTOP');
    const folder = join(service.user === undefined ? folders.system : folders.user, `${service.name}.d`);
    const written = await writeDropIn(folder);
    if (written) await reload(service);
    try {
      await run(service, 'stop', '--no-block');
      for (const until = performance.now() + gone; performance.now() < until; await sleep(20)) {
        if (!(await isThere(service))) return;
        await run(service, 'kill', '--signal=SIGKILL');
      }
    } finally {
      if (written) {
        await rm(join(folder, dropInName), { force: true });
        // Somebody else may have something in it.
        await rmdir(folder).catch(() => {});
        await reload(service);
      }
    }
  };
  const isThere = async (service: ServiceAt) =>
    ['active', 'activating', 'reloading', 'deactivating'].includes((await run(service, 'is-active')) ?? '');
  return {
    serviceState,
    async setService(service: ServiceAt, wanted: ServiceState): Promise<boolean> {
      const before = await serviceState(service);
      if (!before) return !(wanted.enabled || wanted.running);
      if (before.enabled !== wanted.enabled) await run(service, wanted.enabled ? 'enable' : 'disable');
      if (before.running !== wanted.running) await (wanted.running ? run(service, 'start') : end(service));
      const after = await serviceState(service);
      return after !== null && after.enabled === wanted.enabled && after.running === wanted.running;
    },
  };
}

/** False where that may not be written: then it is killed as often as it is started. */
async function writeDropIn(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, dropInName), dropIn);
    // Read by the person's own systemd as well, whatever our umask is.
    await chmod(folder, 0o755);
    await chmod(join(folder, dropInName), 0o644);
    return true;
  } catch {
    return false;
  }
}
