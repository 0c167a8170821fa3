import { useState } from 'react';
import { useNavigate } from 'react-router';
import { reportMilestone } from '../../integrations/milestones.ts';
import { call } from '../../lib/call.ts';
import { pages, paths } from '../../lib/paths.ts';
import { startSession } from '../../lib/session.ts';
import { Check, Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { WithLinks } from '../../ui/with-links.tsx';
import { messages } from './messages.ts';
import { useNewPassword } from './new-password.tsx';
import './accounts.css';

/** `signupCode`: the id of the code (P1.6). */
export function RegisterForm({ promo, signupCode }: { promo: string | null; signupCode: string | null }) {
  const [values, setValues] = useState({ name: '', email: '' });
  const [terms, setTerms] = useState(false);
  const form = useForm();
  const navigate = useNavigate();
  const set = (name: keyof typeof values) => (value: string) => setValues((previousValues) => ({ ...previousValues, [name]: value }));
  const { password, long, same, fields } = useNewPassword(
    form,
    { password: messages.password, again: messages.confirmPassword },
    { password: messages.tooShort, again: messages.noMatch },
  );
  const ready = long && same && terms;

  const submit = () =>
    form.run(async () => {
      const { name, email } = values;
      await call('POST /register', { body: { name, email, password, promo, signup_code: signupCode } });
      try {
        const { web_token } = await call('POST /login/web', { body: { email, password } });
        startSession(web_token, email);
        reportMilestone('Register');
      } catch {
        // The account exists by now; a second press would report a taken address.
        reportMilestone('Register');
        await navigate(paths.loginAfter('registered'), { replace: true });
        return undefined;
      }
      await navigate(paths.home, { replace: true });
      return undefined;
    });

  return (
    <div className="card stack">
      <h1>{messages.registerHeading}</h1>
      <p className="soft">{messages.registerLead}</p>
      <Form state={form} onSubmit={() => ready && void submit()} label={messages.register}>
        <Field
          label={messages.name}
          name="name"
          autoComplete="name"
          value={values.name}
          onChange={set('name')}
          problem={form.fields.name}
        />
        <Field
          label={messages.email}
          name="email"
          type="email"
          autoComplete="username"
          value={values.email}
          onChange={set('email')}
          problem={form.fields.email}
        />
        {fields}
        <Check name="terms" checked={terms} onChange={setTerms}>
          <WithLinks text={messages.terms} links={[pages.terms, pages.privacy]} />
        </Check>
        {long && same && !terms && <p className="soft">{messages.termsNeeded}</p>}
        <button type="submit" className="btn big wide" disabled={!ready || form.loading}>
          {messages.register}
        </button>
      </Form>
    </div>
  );
}
