import { limits } from '@porchlight/contract/limits.ts';
import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/link.tsx';
import { messages } from './messages.ts';
import { RegisterForm } from './register-form.tsx';

export interface RegisterProps {
  promo: string | null;
  /** Checks the sign-up code in the address, and renders the given form with the code's id (P1.6). Null without a code. */
  byCode: ((form: (id: string) => ReactNode) => ReactNode) | null;
  offer: ReactNode;
}

/** Clause 2.39. */
export function RegisterScreen({ promo, byCode, offer }: RegisterProps) {
  // An overlong promo code is not sent: the server would refuse the form, but a bad offer must not prevent registering (8.16).
  const validPromo = promo && promo.length <= limits.promo_code_max ? promo : null;
  return (
    <div className="wrap narrow stack-l">
      {offer}
      {byCode ? byCode((id) => <RegisterForm promo={validPromo} signupCode={id} />) : <RegisterForm promo={validPromo} signupCode={null} />}
      <p>
        {messages.haveAccount}{' '}
        <Link className="alone" to={paths.login}>
          {messages.login}
        </Link>
      </p>
    </div>
  );
}
