import { z } from 'zod';

/**
 * Whether the reader may answer (P10.2). `code`: only with a code texted to their phone just now. `password`: only after entering the
 * password again. `no`: somebody else must answer; `why` is a sentence for people.
 */
export const mayAnswer = z.discriminatedUnion('may', [
  z.object({ may: z.enum(['yes', 'code', 'password']) }),
  z.object({ may: z.literal('no'), why: z.string() }),
]);
export type MayAnswer = z.infer<typeof mayAnswer>;
