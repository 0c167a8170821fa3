import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { z } from 'zod';
import { after, type Clock } from '../../../lib/clock.ts';
import type { Sealer } from '../../../lib/seal.ts';

/** The session in which the holder was proven. */
interface Asker {
  account: string;
  session: string;
}

/** The name of the secret says what was sealed, so that no other sealed text passes for a set-up. */
const sealedSetup = z.object({ authenticator_secret: z.string(), account: z.string(), session: z.string(), ends: z.number() });

/** Set-ups that wait for the first code. The browser stores them, sealed, so that only finished ones reach the database. */
export function authenticatorSetups(clock: Clock, sealer: Sealer) {
  return {
    seal({ account, session }: Asker, secret: string): string {
      const ends = after(clock.now(), serverLimits.authenticator_setup_life).getTime();
      const content: z.infer<typeof sealedSetup> = { authenticator_secret: secret, account, session, ends };
      return sealer.seal(JSON.stringify(content));
    },

    /** The secret; null if it is too late, and for a set-up that is not this session's. */
    open(setup: string, { account, session }: Asker): string | null {
      const content = sealedSetup.safeParse(openedJson(sealer, setup)).data;
      if (content?.account !== account || content.session !== session) return null;
      return content.ends > clock.now().getTime() ? content.authenticator_secret : null;
    },
  };
}

/** Null for what was not sealed here. */
function openedJson(sealer: Sealer, sealed: string): unknown {
  try {
    return JSON.parse(sealer.open(sealed));
  } catch {
    return null;
  }
}
