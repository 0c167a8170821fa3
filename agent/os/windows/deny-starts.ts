import type { Registry } from './native/registry.ts';
import { isSystems } from './processes/systems-own.ts';

/** Where Windows looks, by file name, whether another program is to be started instead. */
export const options = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options';
const instead = 'Debugger';
/** Says that an entry is ours: others put entries there too, and those are not for us to change. */
const mark = 'Porchlight';

/**
 * Lets programs of these file names not start: `command` is started instead, with the command line of the program behind it. What was denied
 * before and is not in `names` may start again. An entry that is not ours stays as it is, and so does the system's own.
 */
export function denyStarts(registry: Registry, command: string, names: string[]): void {
  const wanted = new Map(names.filter(mayBeDenied).map((name) => [name.toLowerCase(), name]));
  for (const name of registry.keys(options)) {
    const key = `${options}\\${name}`;
    if (registry.read(key, mark) === null) continue;
    if (wanted.delete(name.toLowerCase()) && registry.read(key, instead) === command) continue;
    if (names.some((other) => other.toLowerCase() === name.toLowerCase()) && mayBeDenied(name)) {
      registry.write(key, instead, command);
      continue;
    }
    takeOff(registry, key);
  }
  for (const name of wanted.values()) {
    const key = `${options}\\${name}`;
    if (registry.read(key, instead) !== null) continue;
    // The mark first: what breaks off between the two is still known as ours.
    registry.write(key, mark, 1);
    registry.write(key, instead, command);
  }
}

/** The same for one agent of two: when it has handed over, neither what it denies nor what it lets go is its to say any more. */
export function untilHandedOver(deny: (names: string[]) => void) {
  let mine = true;
  return {
    deny: (names: string[]) => {
      if (mine) deny(names);
    },
    handOver: () => {
      mine = false;
    },
  };
}

/** A plain file name of a program, and not one that Windows or we need. */
function mayBeDenied(name: string): boolean {
  return /^[^\\/:*?"<>|]+\.exe$/i.test(name) && !isSystems(name, null) && !/^(porchlight|node)/i.test(name);
}

function takeOff(registry: Registry, key: string): void {
  registry.removeValue(key, instead);
  registry.removeValue(key, mark);
  if (registry.values(key).length === 0 && registry.keys(key).length === 0) registry.removeKey(key);
}
