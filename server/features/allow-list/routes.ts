import { domainToUnicode } from 'node:url';
import { type AllowingOutlook, type AllowListEntry, type AllowListEntryType, allowListEndpoints } from '@porchlight/contract/allow-list.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { readWebsite } from '@porchlight/contract/websites.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import { memoized, unlessCached } from '../../http/conditional-reply.ts';
import { isNearAgent, weakeningCall } from '../../http/weakening-call.ts';
import type { SuspensionLookup } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { DeviceOwnership } from '../../ports.ts';
import { endOf } from './ends.ts';
import type { AllowListStore } from './store.ts';

/** Changes per hour: enough for users, but few enough to limit policy signatures. */
const writeLimit = { max: 120, per: 3_600_000 };

export interface AllowListDeps extends Pick<Kernel, 'db' | 'clock' | 'gates' | 'limit' | 'weakening'> {
  store: AllowListStore;
  definitions(): Promise<Definition[]>;
  /** Whether the names below a website (`readWebsite`) belong to different owners, so that an entry would not cover them. */
  isSharedHost(site: string): boolean;
  ownsDevice: DeviceOwnership;
  /** Locks the device and raises its policy version, which wakes its agent; undefined when the account does not own the device. */
  policyChanges(trx: Trx, account: string, uuid: string): Promise<{ name: string; time_zone: string } | undefined>;
  /** What happens when a remote-control program is allowed there now. */
  outlookOf(account: string, device: string, caller: { ip: string; browser_near: boolean; session: string }): Promise<AllowingOutlook>;
  suspensionAt: SuspensionLookup;
  /** Until when starts wait for a yes, by the entry's id (P9.1). */
  asksUntil(account: string, device: string): Promise<(entry: Pick<Row, 'id' | 'type'>) => Date | null>;
}

type Row = Awaited<ReturnType<AllowListStore['list']>>[number];

const allowablePrograms = memoized((set: Definition[]) =>
  set.filter((definition) => definition.allowlistable).map(({ identifier, category, name }) => ({ identifier, category, name })),
);

/** Throws `already_allowed` and `exception_limit`; a refused entry of the same name gives way. */
export async function addEntry(store: AllowListStore, trx: Trx, device: string, entry: Parameters<AllowListStore['add']>[2]): Promise<Row> {
  const present = (await store.list(device, trx)).filter(({ refused }) => refused === null);
  if (present.some(({ type, identifier }) => type === entry.type && identifier === entry.identifier)) fail('already_allowed');
  if (present.length >= serverLimits.exceptions_max) fail('exception_limit');
  return store.add(trx, device, entry);
}

/** By the definition's identifier. */
export const programNames = (set: Definition[]) => new Map(set.map(({ identifier, name }) => [identifier, name]));

export const nameOf = (names: Map<string, string>, { type, identifier }: Pick<Row, 'type' | 'identifier'>): string =>
  type === 'domain' ? domainToUnicode(identifier) : (names.get(identifier) ?? identifier);

export function allowListRoutes(app: FastifyInstance, deps: AllowListDeps): void {
  const { db, clock, gates, store, limit, policyChanges } = deps;
  const allowableNow = async () => allowablePrograms(await deps.definitions());

  const readIdentifier: Record<AllowListEntryType, (typed: string) => Promise<string | null>> = {
    domain: async (typed) => readWebsite(typed),
    definition: async (typed) =>
      (await allowableNow()).body.find(({ identifier }) => identifier === typed.toLowerCase())?.identifier ?? null,
  };
  const tags = { domain: 'website', definition: 'definition' };

  /** Whether an entry allows a remote-control program, or a site that such a program needs. */
  const givesRemoteControl = async (type: AllowListEntryType, identifier: string) => {
    const isWithin = (name: string, site: string) => name === site || name.endsWith(`.${site}`);
    return (await deps.definitions()).some(
      (definition) =>
        definition.category === 'RemoteControl' &&
        (type === 'definition'
          ? definition.identifier === identifier
          : definition.domains
              .map((domain) => domain.replace(/^\*\./, ''))
              .some((domain) => isWithin(domain, identifier) || isWithin(identifier, domain))),
    );
  };

  const namesNow = async () => programNames(await deps.definitions());
  const toException = (
    names: Map<string, string>,
    { id, type, identifier, added, until, waits_entry, refused, refused_by }: Row,
    asks_until: Date | null,
  ): AllowListEntry => ({
    id,
    type,
    identifier,
    name: nameOf(names, { type, identifier }),
    added: added.toISOString(),
    until: until?.toISOString() ?? null,
    asks_until: waits_entry || refused ? null : (asks_until?.toISOString() ?? null),
    waits: waits_entry !== null,
    refused: refused && { by: refused_by ?? '', time: refused.toISOString() },
  });

  bind(app, gates, allowListEndpoints, {
    'GET /web/devices/:id/v2/exceptions': async ({ account, session, params, ip, request }) => {
      if (!(await deps.ownsDevice(account, params.id))) fail('not_found');
      const [names, asksUntil] = [await namesNow(), await deps.asksUntil(account, params.id)];
      const remote_control = await deps.outlookOf(account, params.id, { session, ip, browser_near: isNearAgent(request) });
      const suspended = await deps.suspensionAt(account, params.id);
      return { items: (await store.list(params.id)).map((row) => toException(names, row, asksUntil(row))), remote_control, suspended };
    },

    'POST /web/devices/:id/v2/exceptions': async (call) => {
      const {
        account,
        params,
        body: { type, lasts, ...body },
      } = call;
      await limit('allow-list', account, writeLimit);
      const identifier =
        (await readIdentifier[type](body.identifier)) ?? fail('invalid_input', { fields: [{ field: 'Identifier', tag: tags[type] }] });
      if (type === 'domain' && deps.isSharedHost(identifier)) fail('site_shared');
      const [names, remote_control] = [await namesNow(), await givesRemoteControl(type, identifier)];
      const added = await deps.weakening(weakeningCall(call), async (trx, weaken, { limited }) => {
        const { name, time_zone } = (await policyChanges(trx, account, params.id)) ?? fail('not_found');
        const addedAt = clock.now();
        // What a yes lets through ends after an hour at most (P10.1).
        const until = endOf(limited ? 'hour' : lasts, addedAt, time_zone);
        const row = await addEntry(store, trx, params.id, { type, identifier, added: addedAt, until });
        const what = toException(names, row, null).name;
        await weaken({
          kind: 'allowed',
          device: { uuid: params.id, name },
          what,
          remote_control,
          program: type === 'definition',
          until,
          before: { exception: row.id },
        });
        return row;
      });
      return toException(names, added, (await deps.asksUntil(account, params.id))(added));
    },

    'DELETE /web/devices/:id/v2/exceptions': async ({ account, params, body }) => {
      await limit('allow-list', account, writeLimit);
      return db.transaction().execute(async (trx) => {
        if (!(await policyChanges(trx, account, params.id))) fail('not_found');
        if (!(await store.remove(trx, params.id, body.id))) fail('not_found');
        return {};
      });
    },

    // Browsers revalidate the list each time, so new definitions apply immediately (P1.1).
    'GET /definitions/allowlistable.json': async ({ request, reply }) =>
      unlessCached(request, reply, await allowableNow(), 'public, no-cache'),
  });
}
