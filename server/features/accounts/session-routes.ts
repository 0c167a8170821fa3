import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import type { Handlers } from '../../lib/bind.ts';
import { fail } from '../../lib/errors.ts';
import type { Passwords } from '../../lib/passwords.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { SessionStore } from './sessions.ts';
import type { AccountStore } from './store.ts';

type SessionRoutes = Pick<
  Handlers<typeof accountEndpoints>,
  'POST /web/logout' | 'POST /web/reauthenticate' | 'GET /web/accounts/sessions' | 'DELETE /web/accounts/sessions/:uuid'
>;

export interface SessionRouteDeps {
  store: Pick<AccountStore, 'byUuid'>;
  sessions: SessionStore;
  passwords: Pick<Passwords, 'fits'>;
  limit: Limit;
  /** Ends the push messages to the browser of a session (P11.6). */
  endPush(account: string, session: string): Promise<unknown>;
}

export function sessionRoutes({ store, sessions, passwords, limit, endPush }: SessionRouteDeps): SessionRoutes {
  return {
    'POST /web/logout': async ({ account, session }) => {
      await endPush(account, session);
      await sessions.end(account, session);
      return {};
    },

    'POST /web/reauthenticate': async ({ account, session, body }) => {
      await limit('current-password', account, { max: 10, per: 300_000 });
      const { password_hash } = await store.byUuid(account);
      if (!(await passwords.fits(body.password, password_hash))) fail('password_wrong');
      await sessions.notePassword(session);
      return {};
    },

    'GET /web/accounts/sessions': async ({ account, session }) => ({
      sessions: (await sessions.list(account)).map(({ uuid, browser, created, last_used }) => ({
        uuid,
        browser,
        created: created.toISOString(),
        last_used: last_used.toISOString(),
        current: uuid === session,
      })),
    }),

    'DELETE /web/accounts/sessions/:uuid': async ({ account, params }) => {
      if (!(await sessions.end(account, params.uuid))) fail('not_found');
      await endPush(account, params.uuid);
      return {};
    },
  };
}
