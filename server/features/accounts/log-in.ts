import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import { browserInWords } from '../../lib/browser-in-words.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AccountEmails } from './account-emails.ts';
import { type Browsers, browserToken } from './browsers.ts';
import { newBrowserEmail } from './emails.ts';
import type { SessionStore } from './sessions.ts';

export interface LogInDeps {
  db: Db;
  clock: Clock;
  sessions: Pick<SessionStore, 'create'>;
  browsers: Pick<Browsers, 'remember'>;
  mails: Pick<AccountEmails, 'send' | 'url'>;
  noteLogin(caller: string): Promise<void>;
  secure_cookies: boolean;
}

interface LogInCall {
  ip: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * `passkey`: which passkey proved the holder; null: the password did. `useProof` uses up what counts once, in the transaction of the new session, so
 * that neither happens without the other; it throws when it was used before.
 */
interface LogInProof {
  passkey: string | null;
  useProof?(trx: Trx): Promise<unknown>;
}

export type LogIn = ReturnType<typeof loggingIn>;

/** Opens a session for a holder who is proven, however that was. An email reports a browser that is new to the account. */
export function loggingIn({ db, clock, sessions, browsers, mails, noteLogin, secure_cookies }: LogInDeps) {
  return async (
    { ip, request, reply }: LogInCall,
    account: { uuid: string; name: string; email: string },
    { passkey, useProof }: LogInProof,
  ): Promise<{ web_token: string }> => {
    const browserName = browserInWords(request.headers['user-agent']);
    const web_token = await db.transaction().execute(async (trx) => {
      await useProof?.(trx);
      if (await browsers.remember(trx, account.uuid, browserToken(request, reply, secure_cookies), ip)) {
        await mails.send(trx, account.email, newBrowserEmail(account.name, browserName, clock.now(), mails.url('/forgot-password')));
      }
      return sessions.create(trx, account.uuid, browserName, passkey);
    });
    await noteLogin(ip);
    return { web_token };
  };
}
