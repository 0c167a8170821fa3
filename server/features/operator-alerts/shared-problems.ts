import type { Db } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OperatorNotifier } from './operator-notifier.ts';
import { nextStep, type Problem, type Reading } from './problem-rule.ts';
import type { ProblemStore } from './problem-store.ts';

export interface OperatorLog {
  error(o: object, m: string): void;
  warn(o: object, m: string): void;
  info(o: object, m: string): void;
}

export interface SharedProblemsDeps {
  db: Db;
  clock: Clock;
  log: OperatorLog;
  store: ProblemStore;
  notifier: OperatorNotifier;
}

/** The problems that all servers share: each step is taken by one of them, together with what it queues. */
export function sharedProblems({ db, clock, log, store, notifier }: SharedProblemsDeps) {
  const logChange = (key: string, state: 'began' | 'ended', problem: Problem, now: Date) => {
    const { text } = notifier.messageOf({ key, state, problem, now });
    if (state === 'ended') return log.info({ operator: true, problem: key }, text);
    const alone = 'Nobody was notified, because OPERATOR_PHONE and OPERATOR_WEBHOOK are not set.';
    log.error({ operator: true, problem: key }, notifier.reachesAnyone({ key, state }) ? text : `${text} ${alone}`);
  };

  return {
    /** `seen`: the row as it was shortly before; nearly always there is none, and nothing to do. */
    async apply(key: string, reading: Reading, seen: Problem | undefined): Promise<void> {
      const now = clock.now();
      if (nextStep(reading, seen, now).do === 'nothing') return;
      const change = await db.transaction().execute(async (trx) => {
        const locked = await store.lock(trx, key);
        const step = nextStep(reading, locked, now);
        if (step.do === 'nothing') return null;
        if (step.do === 'forget' || step.do === 'end') await store.remove(trx, key);
        else if (locked) await store.set(trx, key, step.problem);
        // Another server was first, and notifies.
        else if (!(await store.add(trx, key, step.problem))) return null;
        if (step.do !== 'begin' && step.do !== 'end') return null;
        const state = step.do === 'begin' ? 'began' : 'ended';
        await notifier.queue(trx, { key, state, problem: step.problem, now });
        return { state, problem: step.problem } as const;
      });
      if (change) logChange(key, change.state, change.problem, now);
    },
  };
}
