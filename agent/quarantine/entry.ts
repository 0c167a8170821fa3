import { category, certainty, time, uuid } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';
import { span } from '../lib/span.ts';

const common = {
  uuid,
  /** `taking` and `undoing` are finished at the next start after a crash. */
  state: z.enum(['taking', 'held', 'undoing']),
  taken: time,
  /** The definition, and its everyday name. */
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
  /** The owner of the folder, with whose rights the file was taken. Meaningless on Windows. */
  by: z.number().optional(),
  mtime_ms: z.number(),
  atime_ms: z.number(),
  /** Identifies the very file: a later one at the same path is another. */
  stamp: z.string(),
  /** How long the file is still kept, counted from the first check. */
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

/** One thing in quarantine, with everything needed to restore it. */
export const held = z.discriminatedUnion('kind', [file, line, service, value]);
export type QuarantineEntry = z.infer<typeof held>;
export type QuarantinedFile = z.infer<typeof file>;

export type DefinitionRef = Pick<QuarantineEntry, 'identifier' | 'name' | 'category' | 'certainty'>;
