import { definitionEndpoints, type PublicDefinition } from '@porchlight/contract/definitions.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { hasClient } from '@porchlight/definitions/outgoing.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import { memoized, unlessCached } from '../../http/conditional-reply.ts';
import type { Gates } from '../../http/gates.ts';
import { fail } from '../../lib/errors.ts';

export interface DefinitionDeps {
  gates: Gates;
  definitions: { inForce(): Promise<Definition[]>; part(sha256: string): Promise<Buffer | null> };
}

const publicDefinitions = memoized((set: Definition[]) => set.map(toFamily).toSorted((a, b) => a.name.localeCompare(b.name, 'en')));

export function definitionRoutes(app: FastifyInstance, { gates, definitions }: DefinitionDeps): void {
  bind(app, gates, definitionEndpoints, {
    // Pages about definitions may be an hour out of date.
    'GET /definitions/families.json': async ({ request, reply }) =>
      unlessCached(request, reply, publicDefinitions(await definitions.inForce()), 'public, max-age=3600'),

    'GET /definitions/parts/:sha256': async ({ params, reply }) => {
      const bytes = (await definitions.part(params.sha256)) ?? fail('not_found');
      void reply.headers({ 'cache-control': 'public, max-age=31536000, immutable' });
      // A cast, because the API contract has no type for bytes.
      return reply.type('application/octet-stream').send(bytes) as never;
    },
  });
}

function toFamily({ identifier, name, aliases, category, outgoing, help }: Definition): PublicDefinition {
  return { identifier, name, aliases, category, has_client: hasClient(outgoing), ...help };
}
