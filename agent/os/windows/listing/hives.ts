import type { Registry } from '../native/registry.ts';
import type { ReadKey } from './listing.ts';

/** Where programs are named that start by themselves: nothing else of the registry is changed for them. */
const startUp = /\\CurrentVersion\\Run(Once)?$/i;
/** Of the computer, not of a person: a service that asked for the others would be told its own. */
const ofComputer = /%(systemroot|windir|systemdrive|programfiles|programfiles\(x86\)|programw6432|programdata|allusersprofile)%/gi;

type At = { key: string; value: string };

/** What is written as `HKLM\…` and `HKU\…`. */
export function hives(machine: Registry, users: Registry, env: NodeJS.ProcessEnv) {
  const find = (path: string): [Registry, string] | null => {
    const [, hive, key = ''] = /^(HKLM|HKU)\\(.+)$/.exec(path) ?? [];
    return hive ? [hive === 'HKLM' ? machine : users, key] : null;
  };
  const textAt = ({ key: path, value }: At): string | null => {
    const [registry, key] = find(path) ?? [];
    const content = key === undefined ? null : (registry?.read(key, value) ?? null);
    return content === null || Array.isArray(content) ? null : String(content);
  };
  const key: ReadKey = (path) => {
    const [registry, below] = find(path) ?? [];
    if (!registry || below === undefined) return null;
    const names = registry.values(below);
    const values = names.flatMap((value) => {
      const text = textAt({ key: path, value });
      return text === null ? [] : [[value, text.replace(ofComputer, (whole, name: string) => valueOf(env, name) ?? whole)]];
    });
    const keys = registry.keys(below);
    return names.length || keys.length ? { values: Object.fromEntries(values), keys } : null;
  };
  return {
    key,
    /** As it is written there, whatever names stand in it. */
    startUpValue: async (place: At): Promise<string | null> => textAt(place),
    async setStartUpValue(place: At, content: string | null): Promise<boolean> {
      const [registry, below] = find(place.key) ?? [];
      if (!registry || below === undefined || !startUp.test(below)) return false;
      try {
        if (content === null) registry.removeValue(below, place.value);
        else registry.write(below, place.value, content);
      } catch {
        return false;
      }
      return textAt(place) === content;
    },
  };
}

/** Windows does not tell large letters from small ones there; a copy of the environment does. */
function valueOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const found = Object.keys(env).find((one) => one.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : env[found];
}
