import { useParams } from 'react-router';
import { RegisterScreen } from '../features/accounts/register-screen.tsx';
import { optional } from '../ui/optional.tsx';

// Few come with an offer, so nobody else waits for it; and one that cannot be shown stops nobody (8.16).
const PromoBanner = optional(async () => (await import('../features/subscriptions/promo-banner.tsx')).PromoBanner);

/** /register, with the offer or the sign-up code of its address. */
export function Register() {
  const { promo = null, signupCode = null } = useParams();
  return <RegisterScreen promo={promo} signupCode={signupCode} offer={promo && <PromoBanner promo={promo} />} />;
}
