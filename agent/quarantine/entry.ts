import { category, certainty, time, uuid } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';
import { span } from '../lib/span.ts';

const common = {
  uuid,
  /** `taking` and `undoing` are finished at the next start if they break off. */
  state: z.enum(['taking', 'held', 'undoing']),
  taken: time,
  /** Which family it belongs to, and what people call that. */
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
  /** With whose rights it was taken: the owner of the folder. Numbers mean nothing on Windows. */
  by: z.number().optional(),
  mtime_ms: z.number(),
  atime_ms: z.number(),
  /** Of the file where it lay: what came to lie there later is another one. */
  stamp: z.string(),
  /** How long it is still kept; from the first time that it is asked. */
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

/** One thing that was taken out of use, with all that is needed to put it back. */
export const held = z.discriminatedUnion('kind', [file, line, service, value]);
export type QuarantineEntry = z.infer<typeof held>;
export type QuarantinedFile = z.infer<typeof file>;

export type DefinitionRef = Pick<QuarantineEntry, 'identifier' | 'name' | 'category' | 'certainty'>;
