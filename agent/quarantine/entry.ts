import { category, certainty, time, uuid } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';
import { span } from '../lib/span.ts';

const common = {
  uuid,
  /** At the next start after a crash, entries in the states `taking` and `undoing` are finished. */
  state: z.enum(['taking', 'held', 'undoing']),
  taken: time,
  identifier: z.string(),
  name: z.string(),
  category,
  certainty,
};
const file = z.object({
  ...common,
  kind: z.literal('file'),
  path: z.string(),
  sha256: z.string(),
  size: z.number(),
  mode: z.number(),
  uid: z.number(),
  gid: z.number(),
  /** The uid whose rights read the file. Meaningless on Windows. */
  by: z.number().optional(),
  mtime_ms: z.number(),
  atime_ms: z.number(),
  stamp: z.string(),
  /** The time until deletion, from the first check of its age. */
  keep: span.optional(),
});
const line = z.object({ ...common, kind: z.literal('line'), path: z.string(), line: z.string(), at: z.number().int() });
const service = z.object({
  ...common,
  kind: z.literal('service'),
  service: z.string(),
  user: z.string().optional(),
  before: z.object({ running: z.boolean(), enabled: z.boolean() }),
});
const value = z.object({ ...common, kind: z.literal('value'), key: z.string(), value: z.string(), content: z.string() });

export const quarantineEntry = z.discriminatedUnion('kind', [file, line, service, value]);
export type QuarantineEntry = z.infer<typeof quarantineEntry>;
export type QuarantinedFile = z.infer<typeof file>;

export type DefinitionRef = Pick<QuarantineEntry, 'identifier' | 'name' | 'category' | 'certainty'>;
