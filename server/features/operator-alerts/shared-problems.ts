import type { PostWebhook } from '../../integrations/webhook/webhook.ts';
import type { Kernel } from '../../kernel.ts';
import type { OperationCheck } from './checks/check.ts';
import { type Change, isOfQueue, type OperatorNotifier } from './operator-notifier.ts';
import { nextStep, type Problem, type Reading } from './problem-rule.ts';
import type { ProblemStore } from './problem-store.ts';

export interface OperatorLog {
  error(o: object, m: string): void;
  warn(o: object, m: string): void;
  info(o: object, m: string): void;
}

export interface SharedProblemsDeps extends Pick<Kernel, 'db' | 'clock'> {
  log: OperatorLog;
  store: ProblemStore;
  notifier: OperatorNotifier;
  hostname: string;
  /** Null without OPERATOR_WEBHOOK. */
  post: PostWebhook | null;
}

/** The problems that all servers share: each step is taken by one of them, together with what it queues. */
export function sharedProblems({ db, clock, log, store, notifier, hostname, post }: SharedProblemsDeps) {
  const logChange = (key: string, state: 'began' | 'ended', problem: Problem, now: Date) => {
    const { text } = notifier.messageOf({ key, state, problem, now });
    if (state === 'ended') return log.info({ operator: true, problem: key }, text);
    const alone = 'Nobody was notified, because OPERATOR_PHONE and OPERATOR_WEBHOOK are not set.';
    log.error({ operator: true, problem: key }, notifier.reachesAnyone({ key, state }) ? text : `${text} ${alone}`);
  };

  /** The queue is late, so a notice of that does not wait in it, unless the webhook fails. */
  const postNow = async (change: Change) => {
    if (post === null) return;
    await post(notifier.eventOf(change)).catch(async (err: unknown) => {
      log.warn({ err, problem: change.key }, 'the webhook did not take a notice, which is queued now');
      await notifier.queueWebhook(db, change);
    });
  };

  return {
    /** `seen`: the row as it was shortly before; nearly always there is none, and nothing to do. */
    async apply({ key, reads_own = false }: OperationCheck, reading: Reading, seen: Problem | undefined): Promise<void> {
      const now = clock.now();
      const reader = { name: hostname, reads_own };
      if (nextStep(reading, seen, now, reader).do === 'nothing') return;
      const change = await db.transaction().execute(async (trx) => {
        const locked = await store.lock(trx, key);
        const step = nextStep(reading, locked, now, reader);
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
      if (!change) return;
      logChange(key, change.state, change.problem, now);
      if (isOfQueue({ key, ...change })) await postNow({ key, ...change, now });
    },
  };
}
