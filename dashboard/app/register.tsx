import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { RegisterScreen } from '../features/accounts/register-screen.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';

// Few come with an offer, so nobody else waits for it.
const PromoBanner = lazy(async () => ({ default: (await import('../features/subscriptions/promo-banner.tsx')).PromoBanner }));

/** /register, with the offer or the sign-up code of its address. */
export function Register() {
  const { promo = null, signupCode = null } = useParams();
  const offer = promo && (
    <ErrorBoundary warning="The offer could not be shown.">
      <Suspense fallback={null}>
        <PromoBanner promo={promo} />
      </Suspense>
    </ErrorBoundary>
  );
  return <RegisterScreen promo={promo} signupCode={signupCode} offer={offer} />;
}
