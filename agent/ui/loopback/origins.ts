import type { ServerKeys } from '@porchlight/contract/agent.ts';
import { originsOf } from './guard.ts';

/** How often the server is asked for its address while it has not told it. */
const askEvery = 1000;

/** The Origins of our dashboard: none until the server's address is known, which is asked for again and again. */
export async function knownOrigins(keys: () => Promise<ServerKeys>): Promise<{ known: () => string[]; close(): void }> {
  let origins: string[] = [];
  const learn = async () => {
    origins = originsOf((await keys()).public_url);
  };
  await learn().catch(() => {});
  const learning = setInterval(() => {
    if (origins.length) clearInterval(learning);
    else void learn().catch(() => {});
  }, askEvery);
  return { known: () => origins, close: () => clearInterval(learning) };
}
