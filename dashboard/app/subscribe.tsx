import { useProfile } from '../features/accounts/queries.ts';
import { SubscribeScreen } from '../features/subscriptions/subscribe-screen.tsx';
import { config } from '../lib/config.ts';

/** /subscribe, with the line about an address that is not confirmed (2.130). */
export function Subscribe() {
  const { data } = useProfile();
  return <SubscribeScreen unverified={config.features.unverified_banner && data?.email_verified === false} />;
}
