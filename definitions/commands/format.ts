import { z } from 'zod';
import { os } from '../format.ts';

const word = z.string().min(1).max(80);
/** Names of programs in lower case without `.exe`; `*` at the end allows a version. */
const programNames = z.array(word.regex(/^[^A-Z]+$/));
const byOs = z.object({ windows: programNames, macos: programNames, linux: programNames });
const startingPoint = z.enum(['desktop', 'terminal', 'browser']);
export type StartingPoint = z.infer<typeof startingPoint>;

export const commandPattern = z.object({
  identifier: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  /** For people: follows "stopped". */
  name: z.string().min(5).max(80),
  os: z.array(os).min(1),
  /** Programs, or groups of programs with `@`. */
  programs: z.array(word).min(1),
  started_from: z.array(startingPoint).min(1),
  /** The command has at least one term of each list. `@` names a list of `words`. */
  must: z.array(z.array(word).min(1)).min(1),
  /** `web`, `network`: such an address. `any`: one of the two. `none`: not necessary. */
  address: z.enum(['web', 'network', 'any', 'none']),
  /** Published reports that describe such commands. */
  sources: z.array(z.object({ name: z.string().min(5), month: z.string().regex(/^202[4-6]-(0[1-9]|1[0-2])$/) })).min(1),
});

/** Programs that write what they fetch into a file. */
const saver = z.object({
  programs: programNames,
  /** Options before the name of the file. Upper and lower case differ. */
  names: z.array(word),
  /** Options by which the address names the file. */
  by_address: z.array(word),
  /** Whether the address names it without any option. */
  always: z.boolean(),
});
export type Saver = z.infer<typeof saver>;

/** The commands that people are made to paste, as patterns over words. */
export const commandPatterns = z.object({
  starting_points: z.object({ desktop: byOs, terminal: byOs, browser: byOs }),
  /** Programs between a starting point and the command that do not change who started it. */
  passed_through: programNames,
  program_groups: z.record(word, programNames),
  words: z.record(word, z.array(word)),
  patterns: z.array(commandPattern).min(1),
  /** A file that is fetched by one command and started by a later one. `runners`: programs that run the file that they are given. */
  fetched_files: z.object({ savers: z.array(saver), runners: programNames, shells: programNames }).optional(),
});
export type CommandPattern = z.infer<typeof commandPattern>;
export type CommandPatterns = z.infer<typeof commandPatterns>;
