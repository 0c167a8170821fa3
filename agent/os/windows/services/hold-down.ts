import type { ProcessSeen } from '../../port.ts';
import type { Registry } from '../native/registry.ts';
import { type Services, starts } from './services.ts';

/** Where it is written how a service was started before we held it down. */
export const heldServices = 'SOFTWARE\\Porchlight\\Services';

/** Which program each was held down with: when that is not blocked any more, it is let go. */
const heldWith = 'SOFTWARE\\Porchlight\\ServicesOf';

/** The services that have one of these processes for themselves. What shares its process with others is left alone. */
export function servicesIn(services: Pick<Services, 'list'>, pids: Set<number>): string[] {
  return services.list().flatMap(({ name, pid, alone }) => (alone && pid !== 0 && pids.has(pid) ? [name] : []));
}

/**
 * Disables the services whose process was ended with `program`, so that neither they nor the system start them again. None is asked to stop: one
 * whose process is gone has stopped. How each was started before is kept, to be put back.
 */
export function holdDown(services: Services, registry: Registry, program: ProcessSeen['program'], names: string[]): void {
  for (const name of names) {
    const before = services.startOf(name);
    if (before === null || before === starts.disabled) continue;
    registry.write(heldWith, name, JSON.stringify(program));
    registry.write(heldServices, name, before);
    services.setStart(name, starts.disabled);
  }
}

/** Puts back how the services were started that stand under this key, all or these. None is started by it. */
export function letGo(services: Services, registry: Registry, key = heldServices, which: (name: string) => boolean = () => true): void {
  for (const name of registry.values(key).filter(which)) {
    const before = registry.read(key, name);
    // Only while it is still as we left it: what someone has changed since is theirs.
    if (typeof before === 'number' && services.startOf(name) === starts.disabled) services.setStart(name, before);
    registry.removeValue(key, name);
  }
  if (registry.values(key).length === 0) registry.removeKey(key);
}

/** Lets go whose program is not blocked any more; one of which nobody knows that stays held. */
export function letGoUnblocked(services: Services, registry: Registry, blocked: (program: ProcessSeen['program']) => boolean): void {
  letGo(services, registry, heldServices, (name) => {
    const program = registry.read(heldWith, name);
    return typeof program === 'string' && !blocked(JSON.parse(program));
  });
  const held = registry.values(heldServices);
  for (const name of registry.values(heldWith)) if (!held.includes(name)) registry.removeValue(heldWith, name);
  if (held.length === 0) registry.removeKey(heldWith);
}
