import { readCatalogue } from '../catalogue.ts';
import { compileCommands } from '../commands/patterns.ts';
import type { Definition } from '../format.ts';
import { listMoney } from '../money/money-sites.ts';
import type { Recognition } from '../recognition.ts';
import { shippedRecognition } from '../shipped.ts';

let catalogue: Definition[] | null = null;

/** The shipped catalogue, read and checked once in a process: that takes longer than all else that a test server does at its start. */
export const shippedCatalogue = (): Definition[] => (catalogue ??= readCatalogue());

const recognitions = new WeakMap<Definition[], Recognition>();

/** `shippedRecognition`, the same for the same definitions, so that it is packed once in a process. */
export function recognitionWith(definitions: Definition[]): Recognition {
  const known = recognitions.get(definitions) ?? shippedRecognition(definitions);
  recognitions.set(definitions, known);
  return known;
}

/** What ships besides the catalogue, as an agent compiles it. `written`: the patterns of commands as they are written. */
export function shippedRules() {
  const { commands, money, tunnels, names } = shippedRecognition([]);
  return { commands: compileCommands(commands), written: commands, money, listed: listMoney(money), tunnels, names };
}
