import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { category, nothing } from './shapes.ts';

/** A definition as shown to people; the signed set has its own schema. */

export const publicDefinition = z.object({
  identifier: z.string(),
  name: z.string(),
  /** Other names of the program, for searching. */
  aliases: z.array(z.string()),
  category,
  /** Has viewers or clients that are not stopped while they only reach other computers (P15.3). */
  has_client: z.boolean(),
  what_it_is: z.string(),
  what_to_do: z.string(),
});
export type PublicDefinition = z.infer<typeof publicDefinition>;

export const definitionEndpoints = endpoints({
  'GET /definitions/families.json': {
    summary: 'Everything that we recognise, by name, with the words for it',
    access: 'public',
    answer: z.array(publicDefinition),
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
