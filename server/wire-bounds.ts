import { brand } from '@porchlight/contract/brand.ts';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import type { Texter } from './integrations/sms/sms.ts';
import type { Enqueue } from './jobs/queue.ts';
import { budgetLetter } from './lib/budget-email.ts';
import { budgets } from './lib/budgets.ts';
import type { Clock } from './lib/clock.ts';
import { codeGuard } from './lib/code-guard.ts';
import { homeOf } from './lib/phone.ts';
import { limiter } from './lib/rate-limit.ts';

interface BoundWires {
  db: Db;
  clock: Clock;
  log: Logger;
  texter: Pick<Texter, 'from'>;
  enqueue: Enqueue;
  config: Config;
}

/** A part of the wiring list: how often anything may be tried, looked up or sent, for a caller and for the whole service. */
export function wireBounds({ db, clock, log, texter, enqueue, config }: BoundWires) {
  const given = config.text_budget.countries;
  return {
    limit: limiter(db, clock),
    guard: codeGuard(db, clock),
    countries: given === 'home' ? homeOf(texter.from ?? '') : given,
    budgets: budgets({
      db,
      clock,
      log,
      most: config.text_budget,
      tellOperator: (trx, key, state) => enqueue(trx, 'mail', key, { to: brand.support.email, ...budgetLetter(state) }),
    }),
  };
}
