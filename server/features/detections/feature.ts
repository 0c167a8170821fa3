import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { firstName } from '../../texts/formatting.ts';
import { type Answered, answerStore } from './answer-store.ts';
import { detectionIntake, type IntakeDeps } from './intake.ts';
import { type QuietDeps, quietAlerts } from './quiet.ts';
import { alertsForGuardians, type DetectionDeps, detectionRoutes } from './routes.ts';
import { detectionStore } from './store.ts';

type DetectionAsks = Omit<IntakeDeps, keyof Kernel | 'store' | 'sortQuiet'> &
  Omit<DetectionDeps, keyof Kernel | 'store' | 'answers'> &
  Omit<QuietDeps, keyof Kernel>;

/** What computers have stopped, and who has seen it. */
export function detectionFeature(kernel: Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'limit' | 'notify' | 'nameOf'>, asks: DetectionAsks) {
  const { db, clock } = kernel;
  const store = detectionStore(db, clock);
  const answers = answerStore(db, clock);
  const quiet = quietAlerts({ ...kernel, ...asks });
  return {
    ports: {
      storeDetections: detectionIntake({ ...kernel, ...asks, store, sortQuiet: quiet.sort }),
      alertsSince: store.alertsOf,
      hasStoppedSince: store.hasStoppedSince,
      /** Finds the alert behind a request to allow a name. */
      requestedAlert: (trx: Trx, device: string, name: string, time: Date) =>
        store.alertNamed(trx, device, name, after(time, -serverLimits.request_age_max), time),
      alertOf: async (account: string, uuid: string) => (await store.get(account, uuid)) ?? null,
      alertsOf: alertsForGuardians({ ...kernel, ...asks, store }),
      answerAlert: (
        trx: Trx,
        { account, uuid, name }: { account: string; uuid: string; name: string },
        alert: Answered,
        answer: 'sorted',
      ) => answers.add(trx, { account, person: uuid, name }, alert, answer),
      sortAlerts: answers.sortAll,
      answersOf: ({ account, uuid }: { account: string; uuid: string }, about: string[]) => answers.of(account, about, uuid, firstName),
    },
    jobs: quiet.jobs,
    routes: (http: FastifyInstance, { gates }: Pick<Kernel, 'gates'>) =>
      detectionRoutes(http, { ...kernel, ...asks, gates, store, answers }),
  };
}
