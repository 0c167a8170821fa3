import Bowser from 'bowser';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { newToken, tokenHash } from '../../lib/tokens.ts';

/** Tells one browser from another at log-in; says nothing about a person, and opens nothing. */
const cookie = 'browser';
const life_seconds = 400 * 24 * 3600;

export type Browsers = ReturnType<typeof browserStore>;

/** Which browsers an account has logged in from. */
export function browserStore(clock: Clock) {
  return {
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
  const known = request.cookies[cookie];
  const token = known && /^[\w-]{43}$/.test(known) ? known : newToken();
  reply.setCookie(cookie, token, { httpOnly: true, sameSite: 'lax', secure, path: '/api/login', maxAge: life_seconds });
  return token;
}

/** `Firefox on Windows`, as far as the browser says. */
export function browserInWords(userAgent: string | undefined): string {
  if (!userAgent) return 'A browser';
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const name = browser.name ?? 'A browser';
  return os.name ? `${name} on ${os.name}` : name;
}
