import type { Subscription } from '@porchlight/contract/subscriptions.ts';
import { paths } from '../../lib/paths.ts';
import { mayBuy } from '../../lib/plan.ts';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { SupportLink } from '../../ui/support.tsx';
import { ManagePlan } from './manage-plan.tsx';
import { messages } from './messages.ts';
import { onHold, planMessages } from './plan-messages.ts';
import { priceMessage } from './price-messages.ts';
import { useSubscription } from './queries.ts';

/** Polls, since users may return from the payment portal before its webhook arrives. */
const pollMs = 15_000;

/** Clauses 2.59, 2.61. */
export function PlanCard({ devices }: { devices: number | undefined }) {
  const subscription = useSubscription(true, pollMs);
  return (
    <section className="card" aria-label={messages.heading}>
      <h3>{messages.heading}</h3>
      <Loading of={subscription} height={54}>
        {(plan) => <Overview plan={plan} devices={devices ?? 0} />}
      </Loading>
    </section>
  );
}

function Overview({ plan, devices }: { plan: Subscription; devices: number }) {
  const { device_limit: limit, interval, amount } = plan;
  const { words, needsAttention } = planMessages(plan);
  const bought = plan.subscribed && !plan.external;
  return (
    <div className="stack">
      <div>
        {bought && plan.plan && (
          <p>
            <strong>{plan.plan}</strong>
            {interval && `, ${messages.every[interval]}`}
          </p>
        )}
        {limit > 0 && <p>{messages.limit(limit)}</p>}
        {bought && interval && typeof amount === 'number' && (
          <p className="soft small">{messages.regular(priceMessage(amount, interval))}</p>
        )}
      </div>
      {words && <p className={needsAttention ? 'note look' : ''}>{words}</p>}
      {limit > 0 && devices > limit && <p className="note look">{messages.tooMany(limit, devices)}</p>}
      {plan.external && (
        <p>
          <SupportLink className="alone" />
        </p>
      )}
      {(bought || onHold(plan)) && <ManagePlan />}
      {mayBuy(plan) && !onHold(plan) && (
        <Link className="btn quiet" to={paths.subscribe}>
          {messages.subscribe}
        </Link>
      )}
    </div>
  );
}
