import { randomUUID } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { z } from 'zod';
import type { Trx } from '../../../db/open.ts';
import { after, type Clock } from '../../../lib/clock.ts';
import type { Sealer } from '../../../secrets/seal.ts';

/** The session in which the holder was proven. */
interface Asker {
  account: string;
  session: string;
}

/** The name of the secret says what was sealed, so that no other sealed text passes for a set-up. */
const sealedSetup = z.object({
  authenticator_secret: z.string(),
  setup: z.uuid(),
  account: z.string(),
  session: z.string(),
  ends: z.number(),
});

/** An opened set-up, before it is used up. `uuid`: names it, and the app that is set up with it. */
export interface AuthenticatorSetup {
  uuid: string;
  secret: string;
  ends: Date;
}

/** Set-ups that wait for the first code. The browser stores them, sealed, so that only finished ones reach the database. */
export function authenticatorSetups(clock: Clock, sealer: Sealer) {
  return {
    seal({ account, session }: Asker, secret: string): string {
      const ends = after(clock.now(), serverLimits.authenticator_setup_life).getTime();
      const content: z.infer<typeof sealedSetup> = { authenticator_secret: secret, setup: randomUUID(), account, session, ends };
      return sealer.seal(JSON.stringify(content));
    },

    /** Null if it is too late, and for a set-up that is not this session's. */
    open(setup: string, { account, session }: Asker): AuthenticatorSetup | null {
      const content = sealedSetup.safeParse(openedJson(sealer, setup)).data;
      if (content?.account !== account || content.session !== session) return null;
      const ends = new Date(content.ends);
      return ends > clock.now() ? { uuid: content.setup, secret: content.authenticator_secret, ends } : null;
    },

    /** False if the set-up was used before: sent again, it would bring back an app that was removed. */
    async useUp(trx: Trx, { uuid, ends }: AuthenticatorSetup): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('used_authenticator_setups')
        .values({ setup: uuid, ends })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
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
