import { execFile } from 'node:child_process';
import type { ServiceAt, ServiceState } from '../port.ts';

/** How long systemd may take: a service that does not stop is killed by it after 90 s. In milliseconds. */
const patience = 100_000;

/** Services through systemctl(1). `more`: arguments that come first. */
export function services(systemctl: string | null, more: string[] = []) {
  const run = (service: ServiceAt, ...args: string[]): Promise<string | null> =>
    new Promise((resolve) => {
      if (!systemctl || !/^[\w@.:\\-]+$/.test(service.name) || service.name.startsWith('-')) return resolve(null);
      const whose = service.user === undefined ? [] : ['--user', `--machine=${service.user}@.host`];
      const all = [...more, '--no-ask-password', ...whose, ...args, '--', service.name];
      execFile(systemctl, all, { timeout: patience, env: { ...process.env, LC_ALL: 'C' } }, (_err, stdout) => resolve(stdout.trim()));
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
  return {
    serviceState,
    async setService(service: ServiceAt, wanted: ServiceState): Promise<boolean> {
      const before = await serviceState(service);
      if (!before) return !(wanted.enabled || wanted.running);
      if (before.enabled !== wanted.enabled) await run(service, wanted.enabled ? 'enable' : 'disable');
      if (before.running !== wanted.running) await run(service, wanted.running ? 'start' : 'stop');
      const after = await serviceState(service);
      return after !== null && after.enabled === wanted.enabled && after.running === wanted.running;
    },
  };
}
