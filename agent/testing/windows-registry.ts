import type { Registry, RegistryValue } from '../os/windows/native/registry.ts';
import { type Services, startTypes } from '../os/windows/services/services.ts';

export function registryInMemory() {
  const keysByPath = new Map<string, { spelled: string; values: Map<string, RegistryValue> }>();
  const valuesOf = (key: string) => keysByPath.get(key.toLowerCase())?.values;
  const registry: Registry = {
    read: (key, name) => valuesOf(key)?.get(name) ?? null,
    write(key, name, value) {
      if (!valuesOf(key)) keysByPath.set(key.toLowerCase(), { spelled: key, values: new Map() });
      valuesOf(key)?.set(name, value);
    },
    writeVolatile: (key, name, value) => registry.write(key, name, value),
    removeValue: (key, name) => void valuesOf(key)?.delete(name),
    removeKey: (key) => {
      for (const otherPath of keysByPath.keys())
        if (otherPath === key.toLowerCase() || otherPath.startsWith(`${key.toLowerCase()}\\`)) keysByPath.delete(otherPath);
    },
    keys: (key) => {
      const below = [...keysByPath].filter(([path]) => path.startsWith(`${key.toLowerCase()}\\`));
      const names = below.map(([, { spelled }]) => spelled.slice(key.length + 1).split('\\')[0] ?? '');
      return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
    },
    values: (key) => [...(valuesOf(key)?.keys() ?? [])],
  };
  return registry;
}

interface KnownService {
  start: number;
  running: boolean;
  alone: boolean;
  pid: number;
  /** Windows starts it again after a failure. */
  restarts?: boolean;
}

export function servicesInMemory(initialServices: Record<string, KnownService>) {
  const known = new Map(Object.entries(initialServices));
  const change = (name: string, changes: Partial<KnownService>): boolean => {
    const service = known.get(name);
    if (service) known.set(name, { ...service, ...changes });
    return service !== undefined;
  };
  const services: Services = {
    list: () => [...known].map(([name, service]) => ({ name, display: name, ...service })),
    startOf: (name) => known.get(name)?.start ?? null,
    setStart: (name, start) => change(name, { start }),
    restartOnFailure: (name) => change(name, { restarts: true }),
    start: (name) => known.get(name)?.start !== startTypes.disabled && change(name, { running: true }),
    stop: (name) => change(name, { running: false }),
    reread: () => true,
  };
  return { services, known };
}
