import { useProfile } from '../features/accounts/queries.ts';
import { messages } from '../features/detections/messages.ts';
import { useHasAlerts } from '../features/detections/queries.ts';
import { useSubscription } from '../features/subscriptions/queries.ts';
import { SubscribeScreen } from '../features/subscriptions/subscribe-screen.tsx';
import { config } from '../lib/config.ts';
import { paths } from '../lib/paths.ts';
import { isValid } from '../lib/plan.ts';
import { Link } from '../ui/link.tsx';

export { PaymentSuccessScreen } from '../features/subscriptions/payment-success-screen.tsx';

/** With a note about an unconfirmed email (2.130), and a link to the alerts, which a lapsed plan does not hide (P9.4). */
export function Subscribe() {
  const { data } = useProfile();
  const { data: plan } = useSubscription();
  const lapsed = plan !== undefined && !isValid(plan);
  const alerts = useHasAlerts(lapsed && data !== undefined && (data.email_verified || !config.features.email_check));
  return (
    <>
      <SubscribeScreen unverified={config.features.unverified_banner && data?.email_verified === false} />
      {alerts.data && (
        <p className="wrap read">
          <Link className="alone" to={paths.history}>
            {messages.ofAll}
          </Link>
        </p>
      )}
    </>
  );
}
