import type { ProcessSeen } from '../../port.ts';
import type { Registry } from '../native/registry.ts';
import { type Services, startTypes } from './services.ts';

/** The registry key with each disabled service's previous start type. */
export const startTypesKey = 'SOFTWARE\\Porchlight\\Services';

/** The registry key with the program for which each service was disabled. */
const programsKey = 'SOFTWARE\\Porchlight\\ServicesOf';

/** Services that run alone in one of these processes; shared processes are skipped. */
export function findServices(services: Pick<Services, 'list'>, pids: Set<number>): string[] {
  return services.list().flatMap(({ name, pid, alone }) => (alone && pid !== 0 && pids.has(pid) ? [name] : []));
}

/** Disables the services of an ended program so that they do not restart. Stores their start types. */
export function disableServices(services: Services, registry: Registry, program: ProcessSeen['program'], names: string[]): void {
  for (const name of names) {
    const startType = services.startOf(name);
    if (startType === null || startType === startTypes.disabled) continue;
    registry.write(programsKey, name, JSON.stringify(program));
    registry.write(startTypesKey, name, startType);
    services.setStart(name, startTypes.disabled);
  }
}

/** Restores the start types stored under this key, without starting services. */
export function restoreStartTypes(
  services: Services,
  registry: Registry,
  key = startTypesKey,
  isIncluded: (name: string) => boolean = () => true,
): void {
  for (const name of registry.values(key).filter(isIncluded)) {
    const startType = registry.read(key, name);
    // Skips services that someone has changed since.
    if (typeof startType === 'number' && services.startOf(name) === startTypes.disabled) services.setStart(name, startType);
    registry.removeValue(key, name);
  }
  if (registry.values(key).length === 0) registry.removeKey(key);
}

/** Restores services whose program is no longer blocked. Services without a stored program stay disabled. */
export function restoreUnblocked(services: Services, registry: Registry, isBlocked: (program: ProcessSeen['program']) => boolean): void {
  restoreStartTypes(services, registry, startTypesKey, (name) => {
    const program = registry.read(programsKey, name);
    return typeof program === 'string' && !isBlocked(JSON.parse(program));
  });
  const disabledNames = registry.values(startTypesKey);
  for (const name of registry.values(programsKey)) if (!disabledNames.includes(name)) registry.removeValue(programsKey, name);
  if (disabledNames.length === 0) registry.removeKey(programsKey);
}
