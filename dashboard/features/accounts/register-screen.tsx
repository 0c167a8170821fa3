import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { call } from '../../lib/call.ts';
import { pages, paths } from '../../lib/paths.ts';
import { startSession } from '../../lib/session.ts';
import { reached } from '../../outside/milestones.ts';
import { Check, Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { PasswordChecklist } from './password-checklist.tsx';
import { PasswordField } from './password-field.tsx';
import { passwordRules } from './rules.ts';
import { t } from './texts.ts';
import './accounts.css';

export function RegisterScreen() {
  const { promo = null, signupCode = null } = useParams();
  const [values, setValues] = useState({ name: '', email: '', password: '', again: '' });
  const [terms, setTerms] = useState(false);
  const [touched, setTouched] = useState(false);
  const form = useForm();
  const navigate = useNavigate();
  const set = (name: keyof typeof values) => (value: string) => setValues({ ...values, [name]: value });
  const { long, same } = passwordRules(values.password, values.again);
  const ready = long && same && terms;

  const submit = () =>
    form.run(async () => {
      const { name, email, password } = values;
      await call('POST /register', { body: { name, email, password, promo, signup_code: signupCode } });
      const { web_token } = await call('POST /login/web', { body: { email, password } });
      startSession(web_token);
      reached('Register');
      await navigate(paths.home, { replace: true });
      return undefined;
    });

  return (
    <div className="wrap narrow stack-l">
      {promo && <p className="note good">{t.promo(promo)}</p>}
      <div className="card stack">
        <h1>{t.registerHeading}</h1>
        <p className="soft">{t.registerLead}</p>
        <Form state={form} onSubmit={() => ready && void submit()} label={t.register}>
          <Field label={t.name} name="name" autoComplete="name" value={values.name} onChange={set('name')} problem={form.fields.name} />
          <Field
            label={t.email}
            name="email"
            type="email"
            autoComplete="username"
            value={values.email}
            onChange={set('email')}
            problem={form.fields.email}
          />
          <PasswordField
            label={t.password}
            name="password"
            autoComplete="new-password"
            value={values.password}
            onChange={set('password')}
            problem={touched && !long ? t.tooShort : form.fields.password}
          />
          <PasswordField
            label={t.confirmPassword}
            name="again"
            autoComplete="new-password"
            value={values.again}
            onChange={set('again')}
            onBlur={() => setTouched(true)}
            problem={touched && long && !same ? t.noMatch : undefined}
          />
          <PasswordChecklist password={values.password} again={values.again} />
          <Check name="terms" checked={terms} onChange={setTerms}>
            I accept the <a href={pages.terms}>terms of service</a> and the <a href={pages.privacy}>privacy policy</a>.
          </Check>
          {touched && long && same && !terms && <p className="soft">{t.termsNeeded}</p>}
          <button type="submit" className="btn big wide" disabled={!ready || form.loading}>
            {t.register}
          </button>
        </Form>
      </div>
      <p>
        {t.haveAccount}{' '}
        <Link className="alone" to={paths.login}>
          {t.login}
        </Link>
      </p>
    </div>
  );
}
