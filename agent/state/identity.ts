import { accountHolder } from '@porchlight/contract/agent.ts';
import { uuid } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';

export const identity = z.object({
  server: z.string(),
  agent_token: z.string(),
  device: z.object({ uuid, name: z.string() }),
  /** The account holder at the time of linking; later the signed policy names the holder. */
  holder: accountHolder,
});
export type Identity = z.infer<typeof identity>;
