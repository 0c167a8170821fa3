import Bowser from 'bowser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { newToken, tokenHash } from '../../lib/tokens.ts';

/** Tells one browser from another at log-in; says nothing about a person, and opens nothing. */
const cookie = 'browser';
const life_seconds = 400 * 24 * 3600;

export type Browsers = ReturnType<typeof browserStore>;

/** Which browsers an account has logged in from. */
export function browserStore(db: Db, clock: Clock) {
  return {
    /**
     * Under which name a try to log in is counted: the address, or the browser where someone has logged in with that address before. A
     * stranger's wrong tries so keep nobody out who sits where they always sit. One question to the database, whether there is an account or not.
     */
    async countedAs(request: FastifyRequest, email: string): Promise<string> {
      const hash = tokenHash(ownToken(request) ?? '');
      const own = await db
        .selectFrom('known_browsers')
        .innerJoin('accounts', 'accounts.uuid', 'known_browsers.account')
        .select('known_browsers.account')
        .where('known_browsers.token_hash', '=', hash)
        .where((eb) => eb(eb.fn<string>('lower', ['accounts.email']), '=', email.toLowerCase()))
        .executeTakeFirst();
      return own ? `${email} at ${hash.toString('base64url')}` : email;
    },

    /** Remembers the browser. True when it is new to an account that already knew others. */
    async meet(trx: Trx, account: string, token: string): Promise<boolean> {
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

/** The token of the browser that asks; one that has none gets it with this answer. */
export function browserToken(request: FastifyRequest, reply: FastifyReply, secure: boolean): string {
  const token = ownToken(request) ?? newToken();
  reply.setCookie(cookie, token, { httpOnly: true, sameSite: 'lax', secure, path: '/api/login', maxAge: life_seconds });
  return token;
}

function ownToken(request: FastifyRequest): string | null {
  const known = request.cookies[cookie];
  return known && /^[\w-]{43}$/.test(known) ? known : null;
}

/** `Firefox on Windows`, as far as the browser says. */
export function browserInWords(userAgent: string | undefined): string {
  if (!userAgent) return 'A browser';
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const name = browser.name ?? 'A browser';
  return os.name ? `${name} on ${os.name}` : name;
}
