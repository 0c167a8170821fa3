import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { RegisterScreen } from '../features/accounts/register-screen.tsx';
import { optional } from '../ui/optional.tsx';

// Lazy: few people come with an offer, and an offer that does not load stops nobody (8.16).
const Offer = optional(async () => (await import('./register-with.tsx')).Offer);
// Lazy: few people come with a sign-up code.
const SignupCodeCheck = lazy(async () => ({ default: (await import('./register-with.tsx')).SignupCodeCheck }));

/** /register, with the offer or the sign-up code of its address. */
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
