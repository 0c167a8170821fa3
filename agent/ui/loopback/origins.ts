import type { ServerKeys } from '@porchlight/contract/agent.ts';
import { originsOf } from './guard.ts';

const askEvery = 1000;

/** Returns the Origins of our dashboard, empty until the server's address is known. Learning the address is retried. */
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
