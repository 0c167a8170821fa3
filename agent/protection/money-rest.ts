import type { UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { money_pages_identifier } from '@porchlight/contract/unlisted-protection.ts';
import { processIdentity } from '../lib/process-identity.ts';
import type { Os, SuspendedProcess } from '../os/port.ts';
import { answerTo } from './decide.ts';

/** How long money sites go on resting after remote control ended: a caller has it closed, and goes on by telephone (P12.6). */
export const RESTS_AFTER_MS = 30 * 60_000;
const CHECK_MS = 5000;

export interface RestFacts {
  /** Null: money sites never rest. */
  money: UnlistedPolicy['money'];
  /** Somebody who may has answered yes, within an hour. */
  opened: boolean;
  /** Milliseconds since remote control was seen last, while it runs 0; null if it was not seen. */
  live_ago: number | null;
}

/** Whether money sites rest now (P12.6). */
export const decideRest = ({ money, opened, live_ago }: RestFacts): boolean =>
  money !== null && !opened && (money.unanswered || (live_ago !== null && live_ago < RESTS_AFTER_MS));

export interface MoneyRestDeps {
  os: Pick<Os, 'isRunning'>;
  money: () => UnlistedPolicy['money'];
  answers: () => UnlistedPolicy['answers'];
  signedNow: () => Date;
  /** Milliseconds of running time. */
  up: () => number;
  /** The rest began or ended. */
  changed: () => void;
}

/** The sites of the account that rest besides the known ones, and those that do not; null while none rests. */
export type Resting = Pick<NonNullable<UnlistedPolicy['money']>, 'sites' | 'open'>;

export interface MoneyRest {
  now(): Resting | null;
  /** Whether remote control runs now. */
  isLive(): boolean;
  /** Remote control that is not stopped, because it is allowed, or protection is paused. */
  noteRemoteControl(process: SuspendedProcess): void;
  /** Call with each new policy. */
  review(): void;
  close(): void;
}

export function moneyRest({ os, money, answers, signedNow, up, changed }: MoneyRestDeps): MoneyRest {
  const live = new Map<string, SuspendedProcess>();
  let liveAt: number | null = null;
  let wasResting = false;
  let checking: NodeJS.Timeout | undefined;

  const now = (): Resting | null => {
    const policy = money();
    const opened = answerTo(money_pages_identifier, answers(), signedNow()) === 'yes';
    const rests = decideRest({ money: policy, opened, live_ago: liveAt === null ? null : up() - liveAt });
    return rests && policy ? { sites: policy.sites, open: policy.open } : null;
  };
  const review = () => {
    for (const [key, process] of live) if (!os.isRunning(process)) live.delete(key);
    if (live.size) liveAt = up();
    const isResting = now() !== null;
    const isOver = !live.size && (liveAt === null || up() - liveAt >= RESTS_AFTER_MS);
    // While an answer is in force its end has to be noticed as well.
    if (isOver && !answers().length) {
      clearInterval(checking);
      checking = undefined;
    } else checking ??= setInterval(review, CHECK_MS);
    if (isResting === wasResting) return;
    wasResting = isResting;
    changed();
  };
  return {
    now,
    isLive: () => [...live.values()].some(os.isRunning),
    noteRemoteControl(process) {
      live.set(processIdentity(process), process);
      review();
    },
    review,
    close: () => clearInterval(checking),
  };
}
