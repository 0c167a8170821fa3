import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { category, nothing } from './shapes.ts';

/** What we recognise, for people; and the parts of the signed set, for agents. */

export const family = z.object({
  identifier: z.string(),
  /** As a person would say it. */
  name: z.string(),
  /** What else it is called; for searching. */
  aliases: z.array(z.string()),
  category,
  what_it_is: z.string(),
  what_to_do: z.string(),
});
export type Family = z.infer<typeof family>;

export const definitionEndpoints = endpoints({
  'GET /definitions/families.json': {
    summary: 'Everything that we recognise, by name, with the words for it',
    access: 'public',
    answer: z.array(family),
    errors: [],
  },
  'GET /definitions/parts/:sha256': {
    summary: 'The bytes of one part of a published set, by their SHA-256; they never change',
    access: 'public',
    params: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    answer: nothing,
    errors: ['not_found'],
  },
});
