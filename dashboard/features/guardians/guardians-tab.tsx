import { limits } from '@porchlight/contract/limits.ts';
import { config } from '../../lib/config.ts';
import { FormError } from '../../lib/error-text.ts';
import { paths } from '../../lib/paths.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { GuardianList } from './guardian-list.tsx';
import { messages } from './messages.ts';
import { useGuardianActions, useGuardians } from './queries.ts';

/** Clauses 2.109 to 2.116. */
export function GuardiansTab() {
  const guardians = useGuardians();
  return (
    <div className="stack-l">
      <p>{messages.lead(config.max_guardians)}</p>
      <Link className="alone" to={paths.alerts}>
        {messages.alertsLink}
      </Link>
      <Loading of={guardians} height={200}>
        {(list) => (
          <>
            <GuardianList guardians={list} />
            {list.length < config.max_guardians ? <AddGuardian /> : <p className="note look">{messages.max}</p>}
          </>
        )}
      </Loading>
    </div>
  );
}

function AddGuardian() {
  const emptyValues = { name: '', email: '', again: '' };
  const [values, setValues] = useDraft('guardian', emptyValues);
  const form = useForm();
  const { add } = useGuardianActions();
  const set = (name: keyof typeof values) => (value: string) => setValues((previousValues) => ({ ...previousValues, [name]: value }));
  const submit = () =>
    form.run(async () => {
      const { name, email, again } = values;
      if (email.trim() !== again.trim()) throw new FormError({ again: messages.noMatch });
      await add({ name, email: email.trim() });
      setValues(emptyValues);
      return messages.invited(email.trim());
    });
  return (
    <section className="card stack" aria-labelledby="add-guardian">
      <h2 id="add-guardian">{messages.addHeading}</h2>
      <p className="soft">{messages.addLead}</p>
      <Form state={form} onSubmit={() => void submit()} label={messages.addHeading} alert="sticky">
        <Field
          label={messages.name}
          name="name"
          placeholder={messages.namePlaceholder}
          maxLength={limits.guardian_name_max}
          autoComplete="off"
          value={values.name}
          onChange={set('name')}
          problem={form.fields.name}
        />
        <Field
          label={messages.email}
          name="email"
          type="email"
          maxLength={limits.email_max}
          autoComplete="off"
          value={values.email}
          onChange={set('email')}
          problem={form.fields.email}
        />
        <Field
          label={messages.confirmEmail}
          name="again"
          type="email"
          maxLength={limits.email_max}
          autoComplete="off"
          value={values.again}
          onChange={set('again')}
          problem={form.fields.again}
        />
        <button type="submit" className="btn" disabled={form.loading}>
          {messages.add}
        </button>
      </Form>
    </section>
  );
}
