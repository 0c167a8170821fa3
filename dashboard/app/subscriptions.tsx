import { useProfile } from '../features/accounts/queries.ts';
import { SubscribeScreen } from '../features/subscriptions/subscribe-screen.tsx';
import { config } from '../lib/config.ts';

export { PaymentSuccessScreen } from '../features/subscriptions/payment-success-screen.tsx';

/** /subscribe, with the line about an address that is not confirmed (2.130). */
export function Subscribe() {
  const { data } = useProfile();
  return <SubscribeScreen unverified={config.features.unverified_banner && data?.email_verified === false} />;
}
