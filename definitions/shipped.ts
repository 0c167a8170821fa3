import { readCatalogue } from './catalogue.ts';
import { commandData } from './commands/patterns.ts';
import type { Definition } from './format.ts';
import { readInstitutions } from './money/institutions.ts';
import type { Recognition } from './recognition.ts';
import { shippedTunnels } from './tunnels.ts';

/** What ships with this version. `definitions`: the shipped catalogue unless given. */
export const shippedRecognition = (definitions: Definition[] = readCatalogue()): Recognition => ({
  definitions,
  commands: commandData,
  money: readInstitutions().institutions.map(({ kind, domains }) => ({ kind, domains })),
  tunnels: shippedTunnels(),
});
