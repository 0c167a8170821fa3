import { useState } from 'react';
import { Field, type FieldProps } from '../../ui/field.tsx';
import { t } from './messages.ts';

/** A password with a button that shows it: what one cannot see one cannot put right. */
export function PasswordField(props: Omit<FieldProps, 'type'>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="password">
      <Field {...props} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <button
        type="button"
        className="linklike"
        aria-pressed={shown}
        aria-label={`${shown ? t.hidePassword : t.showPassword}: ${props.label}`}
        onClick={() => setShown(!shown)}
      >
        {shown ? t.hidePassword : t.showPassword}
      </button>
    </div>
  );
}
