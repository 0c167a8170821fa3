import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceState } from '../../port.ts';
import type { Registry } from '../native/registry.ts';
import { type Services, startTypes } from './services.ts';

/** The registry key with each disabled service's previous start type. */
export const switchedOffKey = 'SOFTWARE\\Porchlight\\SwitchedOff';

/** How long a service may take to start or stop. */
const TIMEOUT_MS = 10_000;

/**
 * Implements `serviceState` and `setService` of port.ts. `end` ends a process tree; false on failure. `name` is the service name, not the
 * display name.
 */
export function serviceSwitch(services: Services, registry: Registry, end: (pid: number) => Promise<boolean>) {
  const findRunning = (name: string) => services.list().find((one) => one.running && isSameName(one.name, name));
  const isRunning = (name: string) => findRunning(name) !== undefined;
  /** A stop request would give the service time to act, so its process is ended, unless other services share it. */
  const stop = async (name: string) => {
    const runningService = findRunning(name);
    if (!runningService?.alone || runningService.pid === 0 || !(await end(runningService.pid))) services.stop(name);
  };
  const setEnabled = (name: string, enabled: boolean): boolean => {
    const startType = services.startOf(name);
    if (startType === null || (startType !== startTypes.disabled) === enabled) return startType !== null;
    if (!enabled) {
      // Stored first, so that an interrupted call can be undone.
      registry.write(switchedOffKey, name, startType);
      return services.setStart(name, startTypes.disabled);
    }
    const storedStartType = registry.read(switchedOffKey, name);
    if (!services.setStart(name, typeof storedStartType === 'number' ? storedStartType : startTypes.automatic)) return false;
    registry.removeValue(switchedOffKey, name);
    return true;
  };
  return {
    async serviceState({ name, user }: { name: string; user?: string }): Promise<ServiceState | null> {
      const startType = user === undefined ? services.startOf(name) : null;
      return startType === null ? null : { running: isRunning(name), enabled: startType !== startTypes.disabled };
    },
    async setService({ name, user }: { name: string; user?: string }, { running: shouldRun, enabled }: ServiceState): Promise<boolean> {
      // A disabled service cannot be started: enable it first, disable it last.
      if (user !== undefined || !setEnabled(name, enabled || shouldRun)) return false;
      if (isRunning(name) !== shouldRun) {
        if (shouldRun) services.start(name);
        else await stop(name);
      }
      for (const deadline = performance.now() + TIMEOUT_MS; isRunning(name) !== shouldRun && performance.now() < deadline; await sleep(20));
      return isRunning(name) === shouldRun && setEnabled(name, enabled);
    },
  };
}

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
