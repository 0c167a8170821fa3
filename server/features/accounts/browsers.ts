import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import { isFarCaller } from '../../lib/caller-of.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../lib/seal.ts';
import { newToken, tokenHash } from '../../lib/tokens.ts';

/** Tells one browser from another at log-in; says nothing about a person, and opens nothing. */
const cookie = 'browser';
const life_seconds = 400 * 24 * 3600;

export type Browsers = ReturnType<typeof browserStore>;

/** Which browsers and networks an account has logged in from. Addresses are kept as keyed hashes: nobody reads from them where somebody was. */
export function browserStore(db: Db, clock: Clock, sealer: Pick<Sealer, 'mac'>) {
  const networkHash = (caller: string) => Buffer.from(sealer.mac('network', caller), 'base64url');
  return {
    /**
     * What we know of the place that a try to log in comes from: the browser, where someone has logged in with that address before (with the name
     * that its tries are counted by), and the network. One question to the database, whether there is an account or not.
     */
    async placeOf(request: FastifyRequest, email: string, caller: string): Promise<{ browser: string | null; network: boolean }> {
      const hash = tokenHash(ownToken(request) ?? '');
      const known = await db
        .selectFrom('accounts')
        .select((eb) => [
          eb
            .exists(
              eb.selectFrom('known_browsers').select('created').whereRef('account', '=', 'accounts.uuid').where('token_hash', '=', hash),
            )
            .as('browser'),
          eb
            .exists(
              eb
                .selectFrom('known_networks')
                .select('used')
                .whereRef('account', '=', 'accounts.uuid')
                .where('network_hash', '=', networkHash(caller))
                .where('used', '>', after(clock.now(), -serverLimits.network_known)),
            )
            .as('network'),
        ])
        .where((eb) => eb(eb.fn<string>('lower', ['accounts.email']), '=', email.toLowerCase()))
        .executeTakeFirst();
      return { browser: known?.browser ? hash.toString('base64url') : null, network: Boolean(known?.network) };
    },

    /** Remembers the browser, and the network that it is in. True when the browser is new to an account that already knew others. */
    async meet(trx: Trx, account: string, token: string, caller: string): Promise<boolean> {
      const used = clock.now();
      // The address of a proxy, or of the house that the server stands in, would make everyone known.
      if (isFarCaller(caller)) {
        await trx
          .insertInto('known_networks')
          .values({ account, network_hash: networkHash(caller), used })
          .onConflict((oc) => oc.columns(['account', 'network_hash']).doUpdateSet({ used }))
          .execute();
      }
      const others = await trx.selectFrom('known_browsers').select('account').where('account', '=', account).limit(1).execute();
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('known_browsers')
        .values({ account, token_hash: tokenHash(token), created: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirstOrThrow();
      return others.length > 0 && numInsertedOrUpdatedRows === 1n;
    },
  };
}

/** The token of the browser that asks, also when it comes to choose a new password; one that has none gets it with this answer. */
export function browserToken(request: FastifyRequest, reply: FastifyReply, secure: boolean): string {
  const token = ownToken(request) ?? newToken();
  reply.setCookie(cookie, token, { httpOnly: true, sameSite: 'lax', secure, path: '/api', maxAge: life_seconds });
  // It was once kept for logging in alone; there the one of the narrower path comes first, and would hide the new one.
  reply.clearCookie(cookie, { path: '/api/login' });
  return token;
}

function ownToken(request: FastifyRequest): string | null {
  const known = request.cookies[cookie];
  return known && /^[\w-]{43}$/.test(known) ? known : null;
}
