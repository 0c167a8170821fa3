import { readCatalogue } from '../catalogue.ts';
import { compileCommands } from '../commands/patterns.ts';
import type { Definition } from '../format.ts';
import { listMoney } from '../money/money-sites.ts';
import { shippedRecognition } from '../shipped.ts';

let catalogue: readonly Definition[] | null = null;

/** The shipped catalogue, read and checked once in a process: that takes longer than all else that a test server does at its start. */
export const shippedCatalogue = (): Definition[] => [...(catalogue ??= readCatalogue())];

/** What ships besides the catalogue, as an agent compiles it. `written`: the patterns of commands as they are written. */
export function shippedRules() {
  const { commands, money, tunnels, names } = shippedRecognition([]);
  return { commands: compileCommands(commands), written: commands, money, listed: listMoney(money), tunnels, names };
}
