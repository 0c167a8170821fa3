import { useState } from 'react';
import type { FormState } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { messages } from './messages.ts';
import { PasswordField } from './password-field.tsx';
import { passwordRules } from './rules.ts';

const emptyValues = { password: '', again: '' };
const notLeft = { password: false, again: false };

/** A new password, typed twice, and its rules (2.104). With `problems` a field says on leaving what is wrong with it. */
export function useNewPassword(form: FormState, labels: typeof emptyValues, problems?: typeof emptyValues) {
  const [values, setValues] = useState(emptyValues);
  const [leftFields, setLeftFields] = useState(notLeft);
  const { long, same } = passwordRules(values.password, values.again);
  const field = (name: keyof typeof emptyValues, fulfilled: boolean) => (
    <PasswordField
      label={labels[name]}
      name={name}
      autoComplete="new-password"
      value={values[name]}
      onChange={(value) => setValues((previousValues) => ({ ...previousValues, [name]: value }))}
      onBlur={() => setLeftFields((previousFields) => ({ ...previousFields, [name]: values[name] !== '' }))}
      problem={leftFields[name] && values[name] && !fulfilled && problems ? problems[name] : form.fields[name]}
    />
  );
  return {
    ...{ password: values.password, long, same },
    clear: () => {
      setValues(emptyValues);
      setLeftFields(notLeft);
    },
    fields: (
      <>
        {field('password', long)}
        {field('again', same)}
        <ul className="rules" aria-label={messages.rules.label}>
          <Rule fulfilled={long} text={messages.rules.long} />
          <Rule fulfilled={same} text={messages.rules.same} />
        </ul>
      </>
    ),
  };
}

function Rule({ fulfilled, text }: { fulfilled: boolean; text: string }) {
  return (
    <li className="rule" data-kept={fulfilled}>
      <Icon name={fulfilled ? 'tick' : 'wait'} />
      <span>{text}</span>
      <span className="sr">{fulfilled ? ': yes' : ': not yet'}</span>
    </li>
  );
}
