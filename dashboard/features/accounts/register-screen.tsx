import { limits } from '@porchlight/contract/limits.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { messages } from './messages.ts';
import { RegisterForm } from './register-form.tsx';

export interface RegisterProps {
  promo: string | null;
  /** Looks the address's sign-up code up; what it is given shows the form with the code's id (P1.6). Null without one. */
  byCode: ((form: (id: string) => ReactNode) => ReactNode) | null;
  offer: ReactNode;
}

/** Opens an account; with a sign-up code or an offer, when the address has one (2.39). */
export function RegisterScreen({ promo, byCode, offer }: RegisterProps) {
  // A promo code that is too long is not sent: the server would refuse the form, and a bad offer stops nobody (8.16).
  const sent = promo && promo.length <= limits.promo_code_max ? promo : null;
  return (
    <div className="wrap narrow stack-l">
      {offer}
      {byCode ? byCode((id) => <RegisterForm promo={sent} signupCode={id} />) : <RegisterForm promo={sent} signupCode={null} />}
      <p>
        {messages.haveAccount}{' '}
        <Link className="alone" to={paths.login}>
          {messages.login}
        </Link>
      </p>
    </div>
  );
}
