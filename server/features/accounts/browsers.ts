import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import { isFarCaller } from '../../http/caller-of.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';

/** This cookie recognises a browser at login; it identifies no user and gives no access. */
const cookie = 'browser';
const cookieLifeSeconds = 400 * 24 * 3600;

export type Browsers = ReturnType<typeof browserStore>;

/** Browsers and networks of an account's logins. IP addresses are stored only as keyed hashes, to protect users' locations. */
export function browserStore(db: Db, clock: Clock, sealer: Pick<Sealer, 'mac'>) {
  const networkHash = (caller: string) => Buffer.from(sealer.mac('network', caller), 'base64url');
  return {
    /**
     * Whether the account knows the browser and network of a login attempt. Attempts are counted by the returned `browser`. The number of
     * queries does not depend on the account's existence, so the response time reveals nothing.
     */
    async familiarityOf(request: FastifyRequest, email: string, caller: string): Promise<{ browser: string | null; network: boolean }> {
      const hash = tokenHash(tokenInCookie(request) ?? '');
      const familiarity = await db
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
      return { browser: familiarity?.browser ? hash.toString('base64url') : null, network: Boolean(familiarity?.network) };
    },

    /** True when the browser is new to an account that already knew other browsers. */
    async remember(trx: Trx, account: string, token: string, caller: string): Promise<boolean> {
      const usedAt = clock.now();
      // The address of a proxy or of the server's own network is not stored: it would make every caller known.
      if (isFarCaller(caller)) {
        await trx
          .insertInto('known_networks')
          .values({ account, network_hash: networkHash(caller), used: usedAt })
          .onConflict((oc) => oc.columns(['account', 'network_hash']).doUpdateSet({ used: usedAt }))
          .execute();
      }
      const otherBrowsers = await trx.selectFrom('known_browsers').select('account').where('account', '=', account).limit(1).execute();
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('known_browsers')
        .values({ account, token_hash: tokenHash(token), created: clock.now() })
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirstOrThrow();
      return otherBrowsers.length > 0 && numInsertedOrUpdatedRows === 1n;
    },
  };
}

/** Returns the browser's token, new or existing, and sets its cookie. */
export function browserToken(request: FastifyRequest, reply: FastifyReply, secure: boolean): string {
  const token = tokenInCookie(request) ?? newToken();
  reply.setCookie(cookie, token, { httpOnly: true, sameSite: 'lax', secure, path: '/api', maxAge: cookieLifeSeconds });
  return token;
}

function tokenInCookie(request: FastifyRequest): string | null {
  const cookieValue = request.cookies[cookie];
  return cookieValue && /^[\w-]{43}$/.test(cookieValue) ? cookieValue : null;
}
