import { second } from '@porchlight/contract/time.ts';
import type { Mailer } from '../../integrations/mail/mail.ts';
import type { PostWebhook } from '../../integrations/webhook/webhook.ts';
import { type JobHandlers, PermanentJobError, RetryJobError } from '../../jobs/worker.ts';
import type { Kernel } from '../../kernel.ts';
import type { Clock } from '../../lib/clock.ts';
import { repeat } from '../../lib/repeat.ts';
import { within } from '../../lib/within.ts';
import type { FeedTrouble, OldLists, PaymentTrouble } from '../../ports.ts';
import { backlogCheck } from './checks/backlog.ts';
import { backupCheck } from './checks/backup.ts';
import { carrierCheck } from './checks/carrier.ts';
import { certificateCheck } from './checks/certificate.ts';
import type { OperationCheck } from './checks/check.ts';
import { diskCheck, diskKey, isDiskKey } from './checks/disk.ts';
import { feedCheck, listsCheck } from './checks/lists.ts';
import { paymentsCheck } from './checks/payments.ts';
import { databaseWatch } from './database-watch.ts';
import { operatorNotifier } from './operator-notifier.ts';
import type { Problem } from './problem-rule.ts';
import { type ProblemStore, problemStore } from './problem-store.ts';
import { type OperatorLog, sharedProblems } from './shared-problems.ts';
import type { OperatorSurroundings } from './surroundings.ts';

export interface OperatorAlertsDeps extends Pick<Kernel, 'db' | 'clock' | 'enqueue'> {
  log: OperatorLog;
  mailer: Pick<Mailer, 'send'>;
  surroundings: OperatorSurroundings;
  public_url: string;
  production: boolean;
  /** `phone`: null where no text leaves either. */
  operator: { email: string; phone: string | null };
  /** In hours; null: backups are made by other means. */
  backup_alert: number | null;
  /** Null: no list of sites is fetched. */
  oldLists: OldLists | null;
  /** Null: no feed of definitions is fetched. */
  feedTrouble: FeedTrouble | null;
  paymentTrouble: PaymentTrouble;
}

/** For each check, and what it changes. */
const check_limit = 10 * second;
const close_limit = 2 * second;
/** Checks that settings may switch off. */
const optionalChecks = ['lists', 'feed', 'certificate', 'backup'];
/** A computer that has reported nothing for so long has left the service. */
const gone_after = 24 * 3_600 * second;

interface WebhookJobDeps {
  clock: Clock;
  store: Pick<ProblemStore, 'isOpen'>;
  /** Null where OPERATOR_WEBHOOK was removed since. */
  post: PostWebhook | null;
}

const webhookJob =
  ({ clock, store, post }: WebhookJobDeps): JobHandlers['operator_webhook'] =>
  async ({ until, ...event }) => {
    if (post === null) throw new PermanentJobError('there is no OPERATOR_WEBHOOK');
    if (new Date(until) <= clock.now()) throw new PermanentJobError('it came too late to be of use', 'too_late');
    // After a begin that had to be retried the end may have been sent already; the end has both times.
    if (event.state === 'began' && !(await store.isOpen(event.problem, new Date(event.since)))) return;
    // The worker logs the messages of its own errors only; this one has no address.
    await post(event).catch((err: unknown) => {
      throw new RetryJobError(err instanceof Error ? err.message : 'the webhook failed', 0);
    });
  };

/** Notifies the operator of what concerns the whole service: once when it begins, and once when it is well. */
export function operatorAlerts(deps: OperatorAlertsDeps) {
  const { db, clock, log, enqueue, mailer, operator, public_url } = deps;
  const { hostname, postWebhook: post, pingDatabase: ping, askAddress, readDisk, every } = deps.surroundings;
  const { host } = new URL(public_url);
  const store = problemStore(db);
  const notifier = operatorNotifier({ enqueue, operator: { ...operator, webhook: post !== null }, host, hostname });
  const database = databaseWatch({ ...{ db, clock, log, ping, mailer, post, notifier, hostname, host }, email: operator.email });
  const shared = sharedProblems({ db, clock, log, store, notifier, hostname, post });
  const certificate = public_url.startsWith('https:') ? certificateCheck({ public_url, clock, askAddress }) : null;

  const checks: OperationCheck[] = [
    carrierCheck(db, clock, 'mail'),
    carrierCheck(db, clock, 'sms'),
    paymentsCheck(deps.paymentTrouble),
    ...(deps.oldLists ? [listsCheck(db, clock, deps.oldLists)] : []),
    ...(deps.feedTrouble ? [feedCheck(deps.feedTrouble)] : []),
    backlogCheck(db, clock),
    diskCheck(hostname, readDisk),
    ...(certificate ? [certificate.check] : []),
    ...(deps.backup_alert === null ? [] : [backupCheck(db, clock, deps.backup_alert, deps.production)]),
  ];

  /** Checks that have not ended: a check that hangs is not begun again. */
  const running = new Set<OperationCheck>();
  const run = async (check: OperationCheck, seen: Problem | undefined) => {
    if (running.has(check)) return;
    running.add(check);
    const work = readAndApply(check, seen).finally(() => running.delete(check));
    await within(work, check_limit, () => log.warn({ problem: check.key }, 'whether this is a problem could not be read in time'));
  };
  const readAndApply = async (check: OperationCheck, seen: Problem | undefined) => {
    try {
      await shared.apply(check, await check.read(seen !== undefined), seen);
    } catch (err) {
      log.warn({ err, problem: check.key }, 'whether this is a problem could not be read');
    }
  };

  const ownDisk = diskKey(hostname);
  const checkedKeys = new Set(checks.map((check) => check.key));
  const isSwitchedOff = (problem: string) => optionalChecks.includes(problem) && !checkedKeys.has(problem);
  const isOfGone = (name: string, { read }: Problem) =>
    isDiskKey(name) && name !== ownDisk && clock.now().getTime() - read.getTime() > gone_after;
  /** Neither good nor bad is known of a computer that is gone, or of what is no longer checked, so nobody is notified. */
  const forgetUnread = async (known: Map<string, Problem>) => {
    for (const [name, problem] of known) if (isSwitchedOff(name) || isOfGone(name, problem)) await store.remove(db, name);
  };
  const checkShared = async () => {
    if (!database.isReached()) return;
    const known = await within(store.all(), check_limit, () => null);
    if (!known) {
      log.warn({}, 'the problems of the whole service could not be read in time');
      return;
    }
    await Promise.all(checks.map((check) => run(check, known.get(check.key))));
    await within(forgetUnread(known), check_limit, () => {});
  };

  const failed = (err: unknown) => log.warn({ err }, 'problems of the whole service could not be read');
  const loops = [repeat(every.ping, database.check, failed), repeat(every.check, checkShared, failed)];
  return {
    handlers: { operator_webhook: webhookJob({ clock, store, post }) },
    /** Problems that are not in the database, because they are about it. */
    ownProblems: database.problems,
    certificateExpires: (): Date | null => certificate?.expires() ?? null,
    /** Makes one round of all checks. */
    async check(): Promise<void> {
      await database.check();
      await checkShared();
    },
    async close(): Promise<void> {
      // What hangs must not use up the time that calls and jobs have to end.
      await within(Promise.all(loops.map((loop) => loop.close())), close_limit, () => {});
    },
  };
}
