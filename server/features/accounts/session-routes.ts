import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import type { Handlers } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import { fail } from '../../lib/errors.ts';
import type { ProveHolder, WeakeningGate } from '../../ports.ts';
import type { SessionStore } from './sessions.ts';
import type { AccountStore } from './store.ts';

type SessionRoutes = Pick<
  Handlers<typeof accountEndpoints>,
  | 'POST /web/logout'
  | 'POST /web/logout-everywhere'
  | 'POST /web/reauthenticate'
  | 'GET /web/accounts/sessions'
  | 'DELETE /web/accounts/sessions/:uuid'
>;

export interface SessionRouteDeps {
  store: Pick<AccountStore, 'byUuid'>;
  sessions: SessionStore;
  proveHolder: ProveHolder;
  weakening: WeakeningGate;
  /** Ends the push messages to the browser of a session (P11.6). */
  endPush(account: string, session: string): Promise<unknown>;
}

export function sessionRoutes({ store, sessions, proveHolder, weakening, endPush }: SessionRouteDeps): SessionRoutes {
  return {
    'POST /web/logout': async ({ account, session }) => {
      await endPush(account, session);
      await sessions.end(account, session);
      return {};
    },

    'POST /web/logout-everywhere': async (call) => {
      await weakening(weakeningCall(call), async (trx, weaken) => {
        await weaken({ kind: 'logged_out_everywhere' });
        await sessions.endAll(trx, call.account);
      });
      return {};
    },

    'POST /web/reauthenticate': async ({ account, session, body }) => {
      const person = await store.byUuid(account);
      const { passkey } = await proveHolder(person, 'password' in body ? { current_password: body.password } : body);
      await sessions.notePassword(session, passkey);
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
