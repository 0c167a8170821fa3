import { limits } from '@porchlight/contract/limits.ts';
import type { OwnPolicy } from '@porchlight/contract/policies.ts';
import type { Category } from '@porchlight/contract/shapes.ts';
import { errorText, FormError } from '../../lib/error-text.ts';
import { HttpError } from '../../lib/http.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { ActionChoice } from './action-choice.tsx';
import { messages } from './messages.ts';

const categories: Category[] = ['RemoteControl', 'DeceptiveUtility', 'ScamWebsite'];

interface PolicyFormProps {
  /** Key of the saved draft: the policy's uuid, or `new`. */
  id: string;
  initial: OwnPolicy;
  label: string;
  button: string;
  /** Resolves to the success message. */
  save: (policy: OwnPolicy) => Promise<string | undefined>;
}

/** Clause P4.1. */
export function PolicyForm({ id, initial, label, button, save }: PolicyFormProps) {
  const [values, setValues] = useDraft(`policy:${id}`, { name: initial.name, ...initial.actions });
  const form = useForm();
  const submit = () =>
    form.run(async () => {
      const { name: typedName, ...actions } = values;
      const name = typedName.trim();
      if (!name) throw new FormError({ name: messages.nameNeeded });
      if (/\(default\)$/i.test(name)) throw new FormError({ name: messages.nameDefault });
      return save({ name, actions }).catch((err: unknown) => {
        // A taken name must change, so the error also belongs beside its field.
        throw err instanceof HttpError && err.code === 'policy_exists' ? new FormError({ name: errorText(err) }) : err;
      });
    });
  return (
    <Form state={form} onSubmit={() => void submit()} label={label}>
      <Field
        label={messages.name}
        name="name"
        maxLength={limits.policy_name_max}
        autoComplete="off"
        value={values.name}
        onChange={(name) => setValues({ ...values, name })}
        hint={messages.nameHint}
        problem={form.fields.name}
      />
      {categories.map((category) => (
        <ActionChoice
          key={category}
          category={category}
          value={values[category]}
          onChange={(action) => setValues({ ...values, [category]: action })}
        />
      ))}
      <button type="submit" className="btn" disabled={form.loading}>
        {button}
      </button>
    </Form>
  );
}
