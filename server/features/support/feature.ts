import type { FastifyInstance } from 'fastify';
import type { Kernel } from '../../kernel.ts';
import { type SupportDeps, supportRoutes } from './routes.ts';
import { supportStore } from './store.ts';

/** The support chat, and who helps an account. */
export function supportFeature({ db }: Pick<Kernel, 'db'>, asks: Pick<SupportDeps, 'personOf' | 'identity_key'>) {
  return {
    ports: { supportOf: supportStore(db).of },
    routes: (http: FastifyInstance, { gates }: Pick<Kernel, 'gates'>) => supportRoutes(http, { ...asks, gates }),
  };
}
