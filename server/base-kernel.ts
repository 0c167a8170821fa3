import type { AppDeps } from './app-types.ts';
import type { Config } from './config.ts';
import { type CountKey, countKeys, limiter } from './http/rate-limit.ts';
import { enqueuer, forgetJobs } from './jobs/queue.ts';
import type { Kernel, ServerEvents, Settings } from './kernel.ts';
import { eventHub } from './lib/event-hub.ts';
import { budgetEmail } from './texts/budget-email.ts';
import { budgets } from './texts/budgets.ts';
import { homeCountriesOf } from './texts/phone.ts';

/** What features offer to all others. */
type OfFeatures = 'nameOf' | 'notify' | 'weaken' | 'weakening' | 'gates';

function settingsOf({ public_url, features, sms_budget }: Config, { smsSender, voiceCaller }: AppDeps['integrations']): Settings {
  return {
    public_url,
    dashboard_url: `${public_url}/dashboard`,
    secure_cookies: public_url.startsWith('https:'),
    email_check: features.email_check,
    phone_verification: features.phone_verification,
    sms: features.sms,
    texts_from: smsSender.from,
    countries: sms_budget.countries === 'home' ? homeCountriesOf(smsSender.from ?? '') : sms_budget.countries,
    calls: voiceCaller.from !== null,
  };
}

/** The kernel as far as it needs no feature. `countKey` names what is counted, for parts that take attempts back. */
export function baseKernel(
  config: Config,
  { db, clock, log, sealer, integrations }: AppDeps,
): { base: Omit<Kernel, OfFeatures>; countKey: CountKey } {
  const enqueue = enqueuer(clock);
  const countKey = countKeys(sealer);
  const base = {
    ...{ db, clock, log, sealer, enqueue, settings: settingsOf(config, integrations) },
    forgetJobs: forgetJobs(db),
    events: eventHub<ServerEvents>(),
    limit: limiter(db, clock, countKey),
    budgets: budgets({
      ...{ db, clock, log, most: config.sms_budget },
      notifyOperator: (trx, key, state) => enqueue(trx, 'mail', key, { to: config.operator.email, ...budgetEmail(state) }),
    }),
  };
  return { base, countKey };
}
