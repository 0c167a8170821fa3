import type { FastifyInstance } from 'fastify';
import type { Kernel } from '../../kernel.ts';
import { type AccountDeletionDeps, accountDeletion } from './deletion.ts';
import { type DeletionRequestDeps, deletionRequests } from './deletion-request.ts';
import { deletionStore } from './deletion-store.ts';
import { accountExport } from './export.ts';
import { type AccountDataDeps, accountDataRoutes } from './routes.ts';

interface AccountDataAsks extends Pick<DeletionRequestDeps, 'zoneOf' | 'mails'>, Omit<AccountDeletionDeps, keyof Kernel> {
  store: DeletionRequestDeps['store'] & AccountDataDeps['store'];
  links: DeletionRequestDeps['links'] & AccountDataDeps['links'];
  proveHolder: AccountDataDeps['proveHolder'];
}

/** Deletions that were asked for. The gate needs them, and the deletion itself needs the gate. */
export function deletionRecords({ db, clock }: Pick<Kernel, 'db' | 'clock'>) {
  const store = deletionStore(db, clock);
  return {
    store,
    ports: { stopDeletion: store.stop, deletionWaits: async (account: string) => (await store.of(account)) !== undefined },
  };
}

/** Download and deletion of an account (P13.2). */
export function accountDataFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'limit' | 'settings'>,
  { store: deletions }: ReturnType<typeof deletionRecords>,
  asks: AccountDataAsks,
) {
  const requests = deletionRequests({
    ...{ ...kernel, ...asks, deletions, email_check: kernel.settings.email_check },
    deleteAccount: accountDeletion({ ...kernel, ...asks }).delete,
  });
  return {
    ports: { queueDeletions: requests.queueSteps },
    jobs: { account_deletion: requests.job },
    routes: (http: FastifyInstance, web: Pick<Kernel, 'gates' | 'weakening'>) =>
      accountDataRoutes(http, { ...kernel, ...asks, ...web, deletions, requests, exportOf: accountExport(kernel.db, kernel.clock) }),
  };
}
