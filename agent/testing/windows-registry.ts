import type { Registry, RegistryValue } from '../os/windows/native/registry.ts';
import { type Services, starts } from '../os/windows/services/services.ts';

/** A registry in memory, case-blind as the real one. */
export function registryInMemory() {
  const all = new Map<string, Map<string, RegistryValue>>();
  const at = (key: string) => all.get(key.toLowerCase());
  const registry: Registry = {
    read: (key, name) => at(key)?.get(name) ?? null,
    write(key, name, value) {
      if (!at(key)) all.set(key.toLowerCase(), new Map());
      at(key)?.set(name, value);
    },
    writeVolatile: (key, name, value) => registry.write(key, name, value),
    removeValue: (key, name) => void at(key)?.delete(name),
    removeKey: (key) => {
      for (const other of all.keys()) if (other === key.toLowerCase() || other.startsWith(`${key.toLowerCase()}\\`)) all.delete(other);
    },
    keys: (key) => {
      const below = [...all.keys()].filter((other) => other.startsWith(`${key.toLowerCase()}\\`));
      return [...new Set(below.map((other) => other.slice(key.length + 1).split('\\')[0] ?? ''))];
    },
    values: (key) => [...(at(key)?.keys() ?? [])],
  };
  return registry;
}

interface KnownService {
  start: number;
  running: boolean;
  alone: boolean;
  pid: number;
}

/** A table of services in memory: what is disabled does not start. */
export function servicesInMemory(all: Record<string, KnownService>) {
  const known = new Map(Object.entries(all));
  const change = (name: string, to: Partial<KnownService>): boolean => {
    const service = known.get(name);
    if (service) known.set(name, { ...service, ...to });
    return service !== undefined;
  };
  const services: Services = {
    list: () => [...known].map(([name, service]) => ({ name, display: name, ...service })),
    startOf: (name) => known.get(name)?.start ?? null,
    setStart: (name, start) => change(name, { start }),
    start: (name) => known.get(name)?.start !== starts.disabled && change(name, { running: true }),
    stop: (name) => change(name, { running: false }),
    reread: () => true,
  };
  return { services, known };
}
