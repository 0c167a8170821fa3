import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { AllowLists, WaitingEntries } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import { type AllowListDeps, addEntry, allowListRoutes, nameOf, programNames } from './routes.ts';
import { type AllowListStore, allowedInPolicy, allowListStore } from './store.ts';

type AllowListAsks = Pick<AllowListDeps, 'definitions' | 'isSharedHost' | 'ownsDevice' | 'policyChanges'>;
type FirstHours = (account: string, device: string) => Promise<{ exceptions: Map<string, { asks_until: Date | null }> }>;

/** Programs and sites that a device may use although they are recognized. */
export function allowListFeature(kernel: Pick<Kernel, 'db' | 'clock' | 'limit'>, asks: AllowListAsks) {
  const { db, clock } = kernel;
  const store = allowListStore(db, clock);
  return {
    ports: {
      inPolicy: allowedInPolicy,
      allow: allowUntil({ clock, store, policyChanges: asks.policyChanges }),
      entries: {
        wait: store.wait,
        async letRun(trx, account, device, exception, until) {
          if (await asks.policyChanges(trx, account, device)) await store.letRun(trx, device, exception, until);
        },
        async refuse(trx, account, device, exception, by) {
          if (await asks.policyChanges(trx, account, device)) await store.refuse(trx, device, exception, by);
        },
      } satisfies WaitingEntries,
      allowLists: {
        async of(devices, connection) {
          const names = programNames(await asks.definitions());
          const lists = await Promise.all(devices.map(async (device) => ({ device, rows: await store.list(device, connection) })));
          return lists.flatMap(({ device, rows }) =>
            rows
              .filter(({ refused }) => refused === null)
              .map((row) => ({
                ...{ id: row.id, device, name: nameOf(names, row) },
                ...{ added: row.added, until: row.until },
                waits: row.waits_entry !== null,
              })),
          );
        },
        async remove(trx, account, device, exception) {
          if (await asks.policyChanges(trx, account, device)) await store.remove(trx, device, exception);
        },
      } satisfies AllowLists,
    },
    routes(
      http: FastifyInstance,
      web: Pick<Kernel, 'gates' | 'weakening'> & Pick<AllowListDeps, 'outlookOf' | 'suspensionAt'> & { restrictionsAt: FirstHours },
    ) {
      allowListRoutes(http, {
        ...{ ...kernel, ...asks, ...web, store },
        async asksUntil(account, device) {
          const { exceptions } = await web.restrictionsAt(account, device);
          return ({ id, type }) => (type === 'definition' ? (exceptions.get(id)?.asks_until ?? null) : null);
        },
      });
    },
  };
}

interface AllowUntilDeps {
  clock: Clock;
  store: AllowListStore;
  policyChanges: AllowListDeps['policyChanges'];
}

/** Allows a definition on a device for a time. Returns the entry's id. Throws `not_found`, `already_allowed` and `exception_limit`. */
function allowUntil({ clock, store, policyChanges }: AllowUntilDeps) {
  return async (trx: Trx, account: string, device: string, identifier: string, until: Date): Promise<string> => {
    if (!(await policyChanges(trx, account, device))) fail('not_found');
    return (await addEntry(store, trx, device, { type: 'definition', identifier, added: clock.now(), until })).id;
  };
}
