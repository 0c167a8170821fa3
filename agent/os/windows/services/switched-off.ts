import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceState } from '../../port.ts';
import type { Registry } from '../native/registry.ts';
import { type Services, starts } from './services.ts';

/** Where it is written how a service was started before it was switched off: by itself or by a program, which are both more than off. */
export const switchedOff = 'SOFTWARE\\Porchlight\\SwitchedOff';

/** How long a service may take to start or to stop. Milliseconds. */
const TIMEOUT_MS = 10_000;

/** The port's two calls for services. `end`: ends a process and all that it started; false when that cannot be. `name` is the one that the system knows it by, not the one that people see. */
export function serviceSwitch(services: Services, registry: Registry, end: (pid: number) => Promise<boolean>) {
  const running = (name: string) => services.list().find((one) => one.running && same(one.name, name));
  const runs = (name: string) => running(name) !== undefined;
  /** Whoever is asked to stop has the time to do something else. One that shares its process with others can only be asked. */
  const stop = async (name: string) => {
    const one = running(name);
    if (!one?.alone || one.pid === 0 || !(await end(one.pid))) services.stop(name);
  };
  const allow = (name: string, enabled: boolean): boolean => {
    const now = services.startOf(name);
    if (now === null || (now !== starts.disabled) === enabled) return now !== null;
    if (!enabled) {
      // First what it was: what breaks off between the two can still be put back.
      registry.write(switchedOff, name, now);
      return services.setStart(name, starts.disabled);
    }
    const before = registry.read(switchedOff, name);
    if (!services.setStart(name, typeof before === 'number' ? before : starts.automatic)) return false;
    registry.removeValue(switchedOff, name);
    return true;
  };
  return {
    async serviceState({ name, user }: { name: string; user?: string }): Promise<ServiceState | null> {
      const start = user === undefined ? services.startOf(name) : null;
      return start === null ? null : { running: runs(name), enabled: start !== starts.disabled };
    },
    async setService({ name, user }: { name: string; user?: string }, { running: wanted, enabled }: ServiceState): Promise<boolean> {
      // Disabled it cannot be started, so that is undone first and done last.
      if (user !== undefined || !allow(name, enabled || wanted)) return false;
      if (runs(name) !== wanted) {
        if (wanted) services.start(name);
        else await stop(name);
      }
      for (const end = Date.now() + TIMEOUT_MS; runs(name) !== wanted && Date.now() < end; await sleep(20));
      return runs(name) === wanted && allow(name, enabled);
    },
  };
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
