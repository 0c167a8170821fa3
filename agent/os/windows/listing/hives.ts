import type { Registry } from '../native/registry.ts';
import type { ReadKey } from './readers.ts';

/** The only registry keys that are changed for start-up entries. */
const startUpKeyPattern = /\\CurrentVersion\\Run(Once)?$/i;
/** Excludes per-user variables, which would resolve to the service's own account. */
const MACHINE_VARIABLES = /%(systemroot|windir|systemdrive|programfiles|programfiles\(x86\)|programw6432|programdata|allusersprofile)%/gi;

type ValueLocation = { key: string; value: string };

export function hives(machine: Registry, users: Registry, env: NodeJS.ProcessEnv) {
  const findHive = (path: string): [Registry, string] | null => {
    const [, hive, key = ''] = /^(HKLM|HKU)\\(.+)$/.exec(path) ?? [];
    return hive ? [hive === 'HKLM' ? machine : users, key] : null;
  };
  const textAt = ({ key: path, value }: ValueLocation): string | null => {
    const [registry, key] = findHive(path) ?? [];
    const content = key === undefined ? null : (registry?.read(key, value) ?? null);
    return content === null || Array.isArray(content) ? null : String(content);
  };
  const key: ReadKey = (path) => {
    const [registry, subKey] = findHive(path) ?? [];
    if (!registry || subKey === undefined) return null;
    const names = registry.values(subKey);
    const values = names.flatMap((value) => {
      const text = textAt({ key: path, value });
      return text === null ? [] : [[value, text.replace(MACHINE_VARIABLES, (variable, name: string) => valueOf(env, name) ?? variable)]];
    });
    const keys = registry.keys(subKey);
    return names.length || keys.length ? { values: Object.fromEntries(values), keys } : null;
  };
  return {
    key,
    startUpValue: async (location: ValueLocation): Promise<string | null> => textAt(location),
    async setStartUpValue(location: ValueLocation, content: string | null): Promise<boolean> {
      const [registry, subKey] = findHive(location.key) ?? [];
      if (!registry || subKey === undefined || !startUpKeyPattern.test(subKey)) return false;
      try {
        if (content === null) registry.removeValue(subKey, location.value);
        else registry.write(subKey, location.value, content);
      } catch {
        return false;
      }
      return textAt(location) === content;
    },
  };
}

/** Ignores case, because copies of process.env are case-sensitive. */
function valueOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const variableName = Object.keys(env).find((one) => one.toLowerCase() === name.toLowerCase());
  return variableName === undefined ? undefined : env[variableName];
}
