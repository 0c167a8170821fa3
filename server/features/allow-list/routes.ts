import { domainToUnicode } from 'node:url';
import { type Exception, type ExceptionType, exceptionEndpoints } from '@porchlight/contract/exceptions.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { readWebsite } from '@porchlight/contract/websites.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import { bind } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import { madeOnce, unlessKept } from '../../lib/conditional-reply.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { DeviceOwnership, WeakeningGate } from '../../ports.ts';
import { endOf } from './ends.ts';
import type { AllowListStore } from './store.ts';

/** Far more than a person changes, and few enough that a policy is not signed anew without end. */
const writes = { max: 120, per: 3_600_000 };

export interface AllowListDeps {
  db: Db;
  clock: Clock;
  gates: Gates;
  store: AllowListStore;
  limit: Limit;
  /** The families of the published set. */
  definitions(): Promise<Definition[]>;
  ownsDevice: DeviceOwnership;
  /** Locks the device and gives its policy a new version, of which its agent hears with the commit; undefined when it is not theirs. */
  policyChanges(trx: Trx, account: string, uuid: string): Promise<{ name: string; time_zone: string } | undefined>;
  /** The gate of everything that weakens protection: may it be done, and who is told of it. */
  weaken: WeakeningGate;
}

interface Row {
  id: string;
  type: ExceptionType;
  identifier: string;
  added: Date;
  until: Date | null;
}

const allowable = madeOnce((set: Definition[]) =>
  set.filter((definition) => definition.allowlistable).map(({ identifier, category, name }) => ({ identifier, category, name })),
);

export function allowListRoutes(app: FastifyInstance, deps: AllowListDeps): void {
  const { db, clock, gates, store, limit, policyChanges } = deps;
  const allowableNow = async () => allowable(await deps.definitions());

  /** What is typed for a website or a program, as it is stored; null when it is none. */
  const read: Record<ExceptionType, (typed: string) => Promise<string | null>> = {
    domain: async (typed) => readWebsite(typed),
    definition: async (typed) =>
      (await allowableNow()).body.find(({ identifier }) => identifier === typed.toLowerCase())?.identifier ?? null,
  };
  const tags = { domain: 'website', definition: 'definition' };

  /** Whether what is allowed lets somebody control the computer: such a program, or a site that one of them needs. */
  const givesRemoteControl = async (type: ExceptionType, identifier: string) => {
    const within = (name: string, site: string) => name === site || name.endsWith(`.${site}`);
    return (await deps.definitions()).some(
      (definition) =>
        definition.category === 'RemoteControl' &&
        (type === 'definition'
          ? definition.identifier === identifier
          : definition.domains.some((domain) => within(domain, identifier) || within(identifier, domain))),
    );
  };

  const namesNow = async () => new Map((await deps.definitions()).map(({ identifier, name }) => [identifier, name]));
  const onWire = (names: Map<string, string>, { id, type, identifier, added, until }: Row): Exception => ({
    id,
    type,
    identifier,
    name: type === 'domain' ? domainToUnicode(identifier) : (names.get(identifier) ?? identifier),
    added: added.toISOString(),
    until: until?.toISOString() ?? null,
  });

  bind(app, gates, exceptionEndpoints, {
    'GET /web/devices/:id/v2/exceptions': async ({ account, params }) => {
      if (!(await deps.ownsDevice(account, params.id))) fail('not_found');
      const names = await namesNow();
      return { items: (await store.list(params.id)).map((row) => onWire(names, row)) };
    },

    'POST /web/devices/:id/v2/exceptions': async ({ account, params, body: { type, lasts, ...body } }) => {
      await limit('allow-list', account, writes);
      const identifier =
        (await read[type](body.identifier)) ?? fail('invalid_input', { fields: [{ field: 'Identifier', tag: tags[type] }] });
      const [names, remote_control] = [await namesNow(), await givesRemoteControl(type, identifier)];
      return db.transaction().execute(async (trx) => {
        const { name, time_zone } = (await policyChanges(trx, account, params.id)) ?? fail('not_found');
        const have = await store.list(params.id, trx);
        if (have.some((one) => one.type === type && one.identifier === identifier)) fail('already_allowed');
        if (have.length >= serverLimits.exceptions_max) fail('exception_limit');
        const added = clock.now();
        const allowed = onWire(names, await store.add(trx, params.id, { type, identifier, added, until: endOf(lasts, added, time_zone) }));
        const device = { uuid: params.id, name };
        await deps.weaken(trx, account, {
          kind: 'allowed',
          device,
          what: allowed.name,
          remote_control,
          before: { exception: allowed.id },
        });
        return allowed;
      });
    },

    'DELETE /web/devices/:id/v2/exceptions': async ({ account, params, body }) => {
      await limit('allow-list', account, writes);
      return db.transaction().execute(async (trx) => {
        if (!(await policyChanges(trx, account, params.id))) fail('not_found');
        if (!(await store.remove(trx, params.id, body.id))) fail('not_found');
        return {};
      });
    },

    // Kept by the browser, and asked about each time: what came with a newer server counts at once (P1.1).
    'GET /definitions/allowlistable.json': async ({ request, reply }) =>
      unlessKept(request, reply, await allowableNow(), 'public, no-cache'),
  });
}
