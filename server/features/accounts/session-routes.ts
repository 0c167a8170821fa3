import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import type { Handlers } from '../../lib/bind.ts';
import { fail } from '../../lib/errors.ts';
import type { SessionStore } from './sessions.ts';

type SessionRoutes = Pick<
  Handlers<typeof accountEndpoints>,
  'POST /web/logout' | 'GET /web/accounts/sessions' | 'DELETE /web/accounts/sessions/:uuid'
>;

export function sessionRoutes(sessions: SessionStore): SessionRoutes {
  return {
    'POST /web/logout': async ({ account, session }) => {
      await sessions.end(account, session);
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
      return {};
    },
  };
}
