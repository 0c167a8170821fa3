import type { Mailer } from '../../integrations/mail/mail.ts';
import type { PostWebhook } from '../../integrations/webhook/webhook.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { isDiskFull } from '../../lib/database-outage.ts';
import { within } from '../../lib/within.ts';
import type { Change, OperatorNotifier } from './operator-notifier.ts';
import { bad, good, nextStep, type Problem } from './problem-rule.ts';
import type { OperatorLog } from './shared-problems.ts';

/** In milliseconds. Without its database a server serves nobody, so the operator is notified sooner. */
const must_last = 30_000;
const ping_limit = 10_000;
const send_limit = 20_000;
const retries = [30_000, 2 * 60_000, 10 * 60_000];
const retry_max = 60 * 60_000;

export interface DatabaseWatchDeps extends Pick<Kernel, 'db' | 'clock'> {
  log: OperatorLog;
  ping(): Promise<unknown>;
  mailer: Pick<Mailer, 'send'>;
  /** Null without OPERATOR_WEBHOOK. */
  post: PostWebhook | null;
  notifier: OperatorNotifier;
  email: string;
  hostname: string;
  /** Of PUBLIC_URL. */
  host: string;
}

const key = 'database';

/**
 * Whether this server reaches its database. The state is in memory, and the begin is sent without the queue, because both would be in the
 * database. A server that is started meanwhile ends before it gets here, so its restarts notify nobody.
 */
export function databaseWatch(deps: DatabaseWatchDeps) {
  const { db, clock, log, ping, notifier, hostname } = deps;
  const ways = waysToSend(deps);
  let problem: Problem | undefined;
  /** The ways by which the begin of this outage has not been sent yet. */
  let unsent: Attempt[] = [];
  let isReached = true;

  const changeOf = (of: Problem, state: Change['state']): Change => ({ key, state, problem: of, now: clock.now() });
  const sendBegin = async (change: Change) => {
    const now = clock.now();
    await Promise.all(unsent.filter(({ next, isSending }) => next <= now && !isSending).map((attempt) => send(attempt, change)));
  };
  /** A try that takes long goes on, and there is no second one beside it. */
  const send = async (attempt: Attempt, change: Change) => {
    attempt.isSending = true;
    const sending = hasWorked(attempt.way.send(change)).then((sent) => {
      attempt.isSending = false;
      if (sent) unsent = unsent.filter((other) => other !== attempt);
      else {
        attempt.next = after(clock.now(), retries[attempt.failures] ?? retry_max);
        attempt.failures += 1;
        const { name } = attempt.way;
        log.warn({ operator: true, way: name }, 'The operator could not be notified that the database is away; the next try follows.');
      }
    });
    await within(sending, send_limit, () => {});
  };
  const end = async (ended: Problem) => {
    const change = changeOf(ended, 'ended');
    // Queued again if this takes too long, which the keys of the messages make harmless.
    const queued = db.transaction().execute((trx) => notifier.queue(trx, change));
    if (!(await within(hasWorked(queued), ping_limit, () => false))) return;
    log.info({ operator: true, problem: key }, notifier.messageOf(change).text);
    problem = undefined;
  };

  return {
    /** Problems that only this server knows. */
    problems: (): string[] => (problem?.notified ? [key] : []),
    isReached: () => isReached,

    async check(): Promise<void> {
      const trouble = await within(troubleOf(ping()), ping_limit, () => noAnswer);
      isReached = trouble === null;
      const reading = isReached ? good : bad(`${hostname} ${trouble}`);
      const step = nextStep(reading, problem, clock.now(), { name: hostname, must_last });
      if (step.do === 'store' || step.do === 'begin') problem = step.problem;
      if (step.do === 'forget') problem = undefined;
      if (step.do === 'begin') {
        log.error({ operator: true, problem: key }, notifier.messageOf(changeOf(step.problem, 'began')).text);
        unsent = ways.map((way) => ({ way, next: clock.now(), failures: 0, isSending: false }));
      }
      if (problem?.notified && !isReached) await sendBegin(changeOf(problem, 'began'));
      if (step.do === 'end') await end(step.problem);
    },
  };
}

const noAnswer = 'gets no answer from it';

const troubleOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (err: unknown) => (isDiskFull(err) ? 'can store nothing, because its disk is full' : noAnswer),
  );

const hasWorked = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

interface Attempt {
  way: Way;
  next: Date;
  failures: number;
  isSending: boolean;
}

interface Way {
  name: string;
  send(change: Change): Promise<unknown>;
}

function waysToSend({ mailer, post, notifier, email, hostname, host }: DatabaseWatchDeps): Way[] {
  const mail: Way = {
    name: 'mail',
    send: (change) =>
      mailer.send({
        // The same for each attempt.
        message_id: `operator-database-${hostname}-${change.problem.since.getTime()}@${host}`,
        to: email,
        ...notifier.messageOf(change).mail,
        urgency: 'urgent',
      }),
  };
  return post === null ? [mail] : [mail, { name: 'webhook', send: (change) => post(notifier.eventOf(change)) }];
}
