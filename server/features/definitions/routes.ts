import { definitionEndpoints, type Family } from '@porchlight/contract/definitions.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../lib/bind.ts';
import { madeOnce, unlessKept } from '../../lib/conditional-reply.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';

export interface DefinitionDeps {
  gates: Gates;
  definitions: { inForce(): Promise<Definition[]>; part(sha256: string): Promise<Buffer | null> };
}

const families = madeOnce((set: Definition[]) => set.map(inWords).toSorted((a, b) => a.name.localeCompare(b.name, 'en')));

export function definitionRoutes(app: FastifyInstance, { gates, definitions }: DefinitionDeps): void {
  bind(app, gates, definitionEndpoints, {
    // Kept for a while, and then asked about: what is new may wait an hour on a page that explains.
    'GET /definitions/families.json': async ({ request, reply }) =>
      unlessKept(request, reply, families(await definitions.inForce()), 'public, max-age=3600'),

    'GET /definitions/parts/:sha256': async ({ params, reply }) => {
      const bytes = (await definitions.part(params.sha256)) ?? fail('not_found');
      void reply.headers({ 'cache-control': 'public, max-age=31536000, immutable' });
      // Bytes, which the contract has no shape for.
      return reply.type('application/octet-stream').send(bytes) as never;
    },
  });
}

function inWords({ identifier, name, aliases, category, help }: Definition): Family {
  return { identifier, name, aliases, category, ...help };
}
