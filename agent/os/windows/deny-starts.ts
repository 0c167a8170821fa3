import type { Registry } from './native/registry.ts';
import { isSystemProcess } from './processes/system-processes.ts';

/** The registry key in which Windows finds which program to start in place of another. */
export const optionsKey = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options';
const debuggerValue = 'Debugger';
/** Marks our entries, since other programs also have entries there. */
const markValue = 'Porchlight';

/**
 * Windows runs `command` in place of these programs, with their command line appended. Removes our other entries; leaves foreign entries
 * and system programs alone. Returns how many entries it wrote or removed.
 */
export function denyStarts(registry: Registry, command: string, names: string[]): number {
  let changes = 0;
  const wantedNames = new Map(names.filter(mayBeDenied).map((name) => [name.toLowerCase(), name]));
  for (const name of registry.keys(optionsKey)) {
    const key = `${optionsKey}\\${name}`;
    if (registry.read(key, markValue) === null) continue;
    if (wantedNames.delete(name.toLowerCase()) && registry.read(key, debuggerValue) === command) continue;
    if (names.some((other) => other.toLowerCase() === name.toLowerCase()) && mayBeDenied(name)) {
      registry.write(key, debuggerValue, command);
      changes++;
      continue;
    }
    removeEntry(registry, key);
    changes++;
  }
  for (const name of wantedNames.values()) {
    const key = `${optionsKey}\\${name}`;
    if (registry.read(key, debuggerValue) !== null) continue;
    // The mark comes first, so that an interrupted write is recognised as ours.
    registry.write(key, markValue, 1);
    registry.write(key, debuggerValue, command);
    changes++;
  }
  return changes;
}

/** Ignores calls after the hand-over to a successor. */
export function untilHandedOver(deny: (names: string[]) => void) {
  let isActive = true;
  return {
    deny: (names: string[]) => {
      if (isActive) deny(names);
    },
    handOver: () => {
      isActive = false;
    },
  };
}

function mayBeDenied(name: string): boolean {
  return /^[^\\/:*?"<>|]+\.exe$/i.test(name) && !isSystemProcess(name, null) && !/^(porchlight|node)/i.test(name);
}

function removeEntry(registry: Registry, key: string): void {
  registry.removeValue(key, debuggerValue);
  registry.removeValue(key, markValue);
  if (registry.values(key).length === 0 && registry.keys(key).length === 0) registry.removeKey(key);
}
