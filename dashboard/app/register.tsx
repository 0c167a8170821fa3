import { useParams } from 'react-router';
import { RegisterScreen } from '../features/accounts/register-screen.tsx';
import { PromoBanner } from '../features/subscriptions/promo-banner.tsx';

/** /register, with the offer or the sign-up code of its address. */
export function Register() {
  const { promo = null, signupCode = null } = useParams();
  return <RegisterScreen promo={promo} signupCode={signupCode} offer={promo && <PromoBanner promo={promo} />} />;
}
