import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import { browserInWords } from '../../texts/browser-in-words.ts';
import type { AccountEmails } from './account-emails.ts';
import { type Browsers, browserToken } from './browsers.ts';
import { newBrowserEmail } from './emails.ts';
import type { SessionStore } from './sessions.ts';
import type { AccountStore } from './store.ts';

export interface LogInDeps extends Pick<Kernel, 'db' | 'clock'> {
  store: Pick<AccountStore, 'hasPassword'>;
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
 * `passkey`: which passkey proved the holder; null: the password did, whose hash is `password_hash`. `useProof` uses up what counts once, in the transaction of the new session, so
 * that neither happens without the other; it throws when it was used before.
 */
type LogInProof = ({ passkey: string } | { passkey: null; password_hash: string }) & { useProof?(trx: Trx): Promise<unknown> };

export type LogIn = ReturnType<typeof loggingIn>;

/** Opens a session for a holder who is proven, however that was. An email reports a browser that is new to the account. */
export function loggingIn({ db, clock, store, sessions, browsers, mails, noteLogin, secure_cookies }: LogInDeps) {
  return async (
    { ip, request, reply }: LogInCall,
    account: { uuid: string; name: string; email: string },
    proof: LogInProof,
  ): Promise<{ web_token: string }> => {
    const browserName = browserInWords(request.headers['user-agent']);
    const web_token = await db.transaction().execute(async (trx) => {
      await proof.useProof?.(trx);
      // The comparison took a while, in which a reset may have ended all sessions. Before `remember`, which a reset does after it changes the password.
      if (proof.passkey === null && !(await store.hasPassword(trx, account.uuid, proof.password_hash))) fail('login_wrong');
      if (await browsers.remember(trx, account.uuid, browserToken(request, reply, secure_cookies), ip)) {
        await mails.send(trx, account.email, newBrowserEmail(account.name, browserName, clock.now(), mails.url('/forgot-password')));
      }
      return sessions.create(trx, account.uuid, browserName, proof.passkey);
    });
    await noteLogin(ip);
    return { web_token };
  };
}
