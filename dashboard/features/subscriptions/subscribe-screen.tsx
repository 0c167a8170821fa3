import type { Subscription } from '@porchlight/contract/subscriptions.ts';
import { useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { isValid } from '../../lib/plan.ts';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { SupportContacts } from '../../ui/support.tsx';
import { buy } from './buy-messages.ts';
import { isLate, LatePayment } from './late-payment.tsx';
import { ManagePlan } from './manage-plan.tsx';
import { onHold, planMessages } from './plan-messages.ts';
import { useSubscription } from './queries.ts';
import { SubscribeForm } from './subscribe-form.tsx';
import './subscriptions.css';

/** The polling interval in milliseconds, while a payment has not arrived. */
const pollMs = 5_000;

/** 2.118 to 2.131. `unverified`: shows a note about the unconfirmed email (2.130). */
export function SubscribeScreen({ unverified }: { unverified: boolean }) {
  const late = isLate(useLocation().state);
  const [notPaid, setNotPaid] = useState(false);
  const subscription = useSubscription(true, late ? pollMs : undefined);
  return (
    <div className="wrap stack-l">
      {unverified && (
        <p className="note bad" role="status">
          <strong>{buy.unverified}</strong>
        </p>
      )}
      <Loading of={subscription} height={480}>
        {(plan) => {
          // Only for paying accounts (2.131): someone with a free plan may want to buy (P6.4).
          if (plan.subscribed) return <Navigate to={paths.home} replace />;
          if (late && !notPaid) return <LatePayment onNotPaid={() => setNotPaid(true)} />;
          return plan.external || plan.lifetime || onHold(plan) ? <NothingToBuy plan={plan} /> : <Choose plan={plan} />;
        }}
      </Loading>
    </div>
  );
}

function Choose({ plan }: { plan: Subscription }) {
  const ended = plan.status === 'ended';
  return (
    <>
      <div>
        <h1>{buy.heading}</h1>
        <p className="soft">{ended ? buy.again : buy.lead}</p>
      </div>
      {ended && !isValid(plan) && <p className="note look">{planMessages(plan).words}</p>}
      <SubscribeForm promo={plan.register_promo_code?.code ?? null} trial={!ended} />
      {isValid(plan) && <Home />}
    </>
  );
}

/** Shown for an external or lifetime plan, or one with a failed payment. */
function NothingToBuy({ plan }: { plan: Subscription }) {
  return (
    <div className="card read stack">
      <h1>{buy.heading}</h1>
      <p>{planMessages(plan).words}</p>
      {plan.external && (
        <p>
          <SupportContacts />
        </p>
      )}
      {onHold(plan) && <ManagePlan />}
      {isValid(plan) && <Home />}
    </div>
  );
}

function Home() {
  return (
    <Link className="alone" to={paths.home}>
      {buy.home}
    </Link>
  );
}
