import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { RegisterScreen } from '../features/accounts/register-screen.tsx';
import { optional } from '../ui/optional.tsx';

// Lazy: few people have an offer, and registering works without it (8.16).
const Offer = optional(async () => (await import('./register-with.tsx')).Offer);
const SignupCodeCheck = lazy(async () => ({ default: (await import('./register-with.tsx')).SignupCodeCheck }));

export function Register() {
  const { promo = null, signupCode = null } = useParams();
  return (
    <RegisterScreen
      promo={promo}
      byCode={
        signupCode === null
          ? null
          : (form) => (
              <Suspense fallback={null}>
                <SignupCodeCheck code={signupCode}>{form}</SignupCodeCheck>
              </Suspense>
            )
      }
      offer={promo && <Offer promo={promo} />}
    />
  );
}
