import { hash, verify } from '@node-rs/argon2';
import { fail } from './errors.ts';

/** argon2id, 19 MiB, two passes, one lane: the OWASP minimum, about 10 ms. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface Passwords {
  hash(password: string): Promise<string>;
  /** True when it fits. With no stored hash it takes the same time and is false, so that time tells nothing about who exists. */
  fits(password: string, stored: string | null): Promise<boolean>;
}

/** At most `parallel` hashes run at a time and `waiting` more wait; beyond that the call is refused as busy. */
export function passwords(parallel = 4, waiting = 64): Passwords {
  let running = 0;
  const queue: (() => void)[] = [];
  const decoy = hash('nobody has this password', cost);

  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= parallel) {
      if (queue.length >= waiting) fail('unavailable', { retry_after: 2 });
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    running++;
    try {
      return await work();
    } finally {
      running--;
      queue.shift()?.();
    }
  };

  return {
    hash: (password) => limited(() => hash(password, cost)),
    fits: async (password, stored) => {
      const against = stored ?? (await decoy);
      const fits = await limited(() => verify(against, password));
      return stored !== null && fits;
    },
  };
}
