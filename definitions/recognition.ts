import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { time } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';
import { commandPatterns } from './commands/format.ts';
import { definition } from './format.ts';
import { moneySites } from './money/format.ts';
import { nameTables, noNames } from './names/format.ts';
import { tunnelTables } from './tunnels.ts';

/** Sites that rest while a stranger may be at the computer. `domains`: canonical hosts without `www.`; each includes its subdomains. */
/** All that an agent recognises things by, but for the list of sites (P16.1). Data alone: it can add and take away recognition, and allows nothing. */
export const recognition = z.object({
  definitions: z.array(definition),
  commands: commandPatterns,
  money: moneySites,
  tunnels: tunnelTables,
  /** Former sets have none (P16.2). */
  names: nameTables.default(noNames),
});
export type Recognition = z.infer<typeof recognition>;

/** The format that this version writes. A higher one may have entries with words that it cannot read. */
export const recognition_format = 1;

/** `format`: the format that wrote it. */
export const cataloguePart = recognition.extend({ format: z.number().int().positive() });

/** Ten times what ships. */
const unpacked_max = 8 * 1024 * 1024;

/** The entries that can be read: what a newer format adds, such as another system, must not take away all the rest. */
const readable = <T extends z.ZodType>(entry: T) =>
  z.array(z.unknown()).transform((entries): z.output<T>[] =>
    entries.flatMap((raw) => {
      const read = entry.safeParse(raw);
      return read.success ? [read.data] : [];
    }),
  );
const newerPart = cataloguePart.extend({
  definitions: readable(recognition.shape.definitions.element),
  commands: recognition.shape.commands.extend({ patterns: readable(recognition.shape.commands.shape.patterns.element) }),
  money: readable(recognition.shape.money.element),
  names: nameTables.extend({ brands: readable(nameTables.shape.brands.element) }).default(noNames),
});

type CataloguePart = z.infer<typeof cataloguePart>;

/** What was read last. A computer reads the part in force with each poll and each set, and nearly always it is the same one. */
let last: { sha256: string; part: CataloguePart } | null = null;

/** Reads what `catalogueBytes` wrote, also in a newer format. Throws for anything else, and for more than `unpacked_max` bytes of JSON. */
export function readRecognition(bytes: Uint8Array): CataloguePart {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (last?.sha256 !== sha256) last = { sha256, part: read(bytes) };
  return last.part;
}

function read(bytes: Uint8Array): CataloguePart {
  const raw: unknown = JSON.parse(gunzipSync(bytes, { maxOutputLength: unpacked_max }).toString('utf8'));
  const { format } = z.object({ format: z.number() }).parse(raw);
  return (format > recognition_format ? newerPart : cataloguePart).parse(raw);
}

/** The signed recognition in force. `version` only increases; an agent never accepts an older set. */
export const definitionSet = recognition.extend({
  epoch: z.number().int().positive().optional(),
  version: z.number().int().positive(),
  issued: time,
});
export type DefinitionSet = z.infer<typeof definitionSet>;
