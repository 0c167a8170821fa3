import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessSeen } from '../../port.ts';
import type { Registry } from '../native/registry.ts';
import { type Services, starts } from './services.ts';

/** Where it is written how a service was started before we held it down. */
export const heldServices = 'SOFTWARE\\Porchlight\\Services';

/** Which program each was held down with: when that is not blocked any more, it is let go. */
const heldWith = 'SOFTWARE\\Porchlight\\ServicesOf';

/** How long a service may take to stop by itself; after that its process is ended. Milliseconds. */
const patience = 2000;

type Names = (service: { name: string; pid: number }) => boolean;

/**
 * Stops the services that run in these processes of `program` and disables them, so that neither they nor the system start them again. How each was
 * started before is kept, to be put back. A service that shares its process with others is left alone. Answers their names.
 */
export async function holdDown(services: Services, registry: Registry, program: ProcessSeen['program'], which: Names): Promise<string[]> {
  const held = services.list().filter((service) => service.alone && which(service));
  for (const { name } of held) {
    const before = services.startOf(name);
    if (before === null || before === starts.disabled) continue;
    registry.write(heldWith, name, JSON.stringify(program));
    registry.write(heldServices, name, before);
    services.setStart(name, starts.disabled);
  }
  const running = new Set(held.filter(({ name, running }) => running && services.stop(name)).map(({ name }) => name));
  for (const end = Date.now() + patience; running.size > 0 && Date.now() < end; await sleep(20)) {
    for (const { name, running: still } of services.list()) if (!still) running.delete(name);
  }
  return held.map(({ name }) => name);
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
