import { accountDataEndpoints } from '@porchlight/contract/account-data.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import { limited } from '../../lib/limited.ts';
import type { ProveHolder } from '../../ports.ts';
import type { DeletionRequests } from './deletion-request.ts';
import type { DeletionStore } from './deletion-store.ts';
import type { ExportHead, ExportWriter } from './export.ts';
import { accountJson } from './json.ts';
import { accountPage } from './page.ts';

export interface AccountDataDeps extends Pick<Kernel, 'db' | 'clock' | 'gates' | 'limit' | 'weakening'> {
  store: { byUuid(account: string): Promise<{ uuid: string; password_hash: string }> };
  links: {
    /** Locks the link. */
    find(trx: Trx, token: string, purposes: 'keep'[]): Promise<{ account: string; used: Date | null; expires: Date } | undefined>;
    use(trx: Trx, token: string): Promise<unknown>;
  };
  deletions: Pick<DeletionStore, 'of' | 'stop'>;
  requests: Pick<DeletionRequests, 'ask'>;
  exportOf(account: string, writers: ExportWriter[], begin: (trx: Trx) => Promise<unknown>): Promise<ExportHead | null>;
  proveHolder: ProveHolder;
  /** The account's time zone, for dates in words. */
}

const formats = {
  json: { newWriter: accountJson, ending: 'json', content_type: 'application/json' },
  page: { newWriter: accountPage, ending: 'html', content_type: 'text/html' },
};

/** Download and deletion of an account by its holder (P13.2). */
export function accountDataRoutes(app: FastifyInstance, deps: AccountDataDeps): void {
  const { db, clock, limit, links, deletions, weakening } = deps;

  /** Throws `too_many` while another download of the account is collected, by any server. */
  const alone = (account: string) => async (trx: Trx) => {
    const lock = sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`download:${account}`}, 0)) as free`;
    if (!(await lock.execute(trx)).rows[0]?.free) fail('too_many', { retry_after: 60 });
  };

  /** An account with very many alerts takes a lot of memory, and more of them at once could be too much. */
  const oneOnThisServer = limited({ parallel: 1, waiting: 3 });

  bind(app, deps.gates, accountDataEndpoints, {
    'POST /web/account/download': async (call) => {
      const { account, body } = call;
      await deps.proveHolder(await deps.store.byUuid(account), body);
      await limit('account-download', account, { max: 5, per: hour });
      const { newWriter, ending, content_type } = formats[body.format];
      const writer = newWriter();
      const { exported } = (await oneOnThisServer(() => deps.exportOf(account, [writer], alone(account)))) ?? fail('not_found');
      // Nothing is handed out without an entry, and only what is handed out has one.
      await weakening(weakeningCall(call), (_trx, weaken) => weaken({ kind: 'account_downloaded' }));
      return { file_name: `porchlight-account-${exported.slice(0, 10)}.${ending}`, content_type, content: writer.end() };
    },

    'GET /web/account/deletion': async ({ account }) => ({ deletes: (await deletions.of(account))?.deletes.toISOString() ?? null }),

    'POST /web/account/deletion': async (call) => {
      const { account, body, request } = call;
      // The proof was given when it was asked for.
      if (!request.ownCall) await deps.proveHolder(await deps.store.byUuid(account), body);
      return weakening(weakeningCall(call), async (trx, weaken) => {
        const waiting = await deletions.of(account, trx);
        if (waiting) return { deletes: waiting.deletes.toISOString() };
        const { deletes } = await deps.requests.ask(trx, account);
        await weaken({ kind: 'deletion_asked', what: deletes.toISOString() });
        return { deletes: deletes.toISOString() };
      });
    },

    'POST /web/account/deletion/stop': async (call) => {
      await weakening(weakeningCall(call), async (trx, weaken) => {
        if (await deletions.stop(trx, call.account)) await weaken({ kind: 'deletion_stopped' });
      });
      return {};
    },

    'POST /keep-account': async (call) => {
      const { body, ip } = call;
      await limit('link', ip, { max: 30, per: 10 * minute });
      const find = async (trx: Trx) => (await links.find(trx, body.token, ['keep'])) ?? fail('link_invalid');
      // Links never move between accounts, so the account is known before the transaction.
      const { account } = await db.transaction().execute(find);
      await weakening(weakeningCall({ ...call, account, session: null }), async (trx, weaken) => {
        const isStopped = await deletions.stop(trx, account);
        // Found after the deletion is locked, since an account's end locks them in this order.
        const link = await find(trx);
        if (isStopped) await weaken({ kind: 'deletion_stopped' });
        // Each link of a deletion stops it while it waits; pressing one again is fine.
        else if (!link.used && link.expires <= clock.now()) fail('link_expired');
        await links.use(trx, body.token);
      });
      return {};
    },
  });
}
