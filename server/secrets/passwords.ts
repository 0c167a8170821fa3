import { hash, verify } from '@node-rs/argon2';
import { limited } from '../lib/limited.ts';

/** argon2id, 19 MiB, two passes, one lane: the OWASP minimum, about 10 ms. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a stored hash the result is false after the same time: timing does not reveal accounts. */
  fits(password: string, stored: string | null): Promise<boolean>;
}

/** More than `waiting` calls are refused as busy. */
export function passwords(parallel = 4, waiting = 64): Passwords {
  const atOnce = limited({ parallel, waiting });
  const decoy = hash('nobody has this password', cost);

  return {
    hash: (password) => atOnce(() => hash(password, cost)),
    fits: async (password, stored) => {
      const comparedHash = stored ?? (await decoy);
      const isMatch = await atOnce(() => verify(comparedHash, password));
      return stored !== null && isMatch;
    },
  };
}
