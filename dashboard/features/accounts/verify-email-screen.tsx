import { brand } from '@porchlight/contract/brand.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { call } from '../../lib/call.ts';
import { paths } from '../../lib/paths.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useProfile } from './queries.ts';
import { maskEmail } from './rules.ts';
import { t } from './texts.ts';

export function VerifyEmailScreen() {
  const profile = useProfile({ poll: 3000 });
  const form = useForm();
  const [wait, setWait] = useState(0);
  useEffect(() => {
    if (wait <= 0) return;
    const timer = window.setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  if (profile.data?.email_verified) return <Navigate to={paths.home} replace />;

  const again = () =>
    form.run(async () => {
      await call('POST /web/verify-email');
      setWait(limits.resend_wait / 1000);
      return t.sentAgain;
    });
  return (
    <div className="wrap narrow">
      <div className="card stack">
        <h1>{t.verifyHeading}</h1>
        <Loading of={profile} height={96}>
          {({ email }) => <p>{t.verifyLead(maskEmail(email))}</p>}
        </Loading>
        <Form state={form} onSubmit={() => void again()}>
          <button type="submit" className="btn" disabled={wait > 0 || form.loading}>
            {wait > 0 ? t.sendAgainIn(wait) : t.sendAgain}
          </button>
        </Form>
        <p className="soft">
          {t.wrongAddress}{' '}
          <a className="alone" href={`mailto:${brand.support.email}`}>
            {brand.support.email}
          </a>
        </p>
      </div>
    </div>
  );
}
