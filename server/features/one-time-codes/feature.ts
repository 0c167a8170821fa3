import type { FastifyInstance } from 'fastify';
import type { Kernel } from '../../kernel.ts';
import { type OneTimeCodeDeps, oneTimeCodeRoutes } from './routes.ts';
import { codeSecretStore } from './secret-store.ts';
import { type StoppedProgramDeps, stoppedPrograms } from './stopped-programs.ts';
import { oneTimeCodeStore } from './store.ts';

type OneTimeCodeAsks = Pick<OneTimeCodeDeps, 'codeOf' | 'ownsDevice'> & Pick<StoppedProgramDeps, 'allowable'>;

/** Codes with which a computer is opened once, also without the internet. */
export function oneTimeCodeFeature(kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'limit' | 'notify'>, asks: OneTimeCodeAsks) {
  const { db, clock, sealer } = kernel;
  const secrets = codeSecretStore(db, sealer);
  const stoppedAt = stoppedPrograms({ ...kernel, ...asks });
  return {
    ports: { inPolicy: secrets.inPolicy, codeSecretOf: secrets.secretOf, stoppedPrograms: stoppedAt },
    routes: (
      http: FastifyInstance,
      late: Omit<OneTimeCodeDeps, keyof OneTimeCodeAsks | 'db' | 'clock' | 'limit' | 'notify' | 'store' | 'secretOf' | 'stoppedPrograms'>,
    ) =>
      oneTimeCodeRoutes(http, {
        ...{ ...kernel, ...asks, ...late, store: oneTimeCodeStore(clock) },
        secretOf: secrets.secretOf,
        stoppedPrograms: stoppedAt,
      }),
  };
}
