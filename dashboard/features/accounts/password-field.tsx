import { useState } from 'react';
import { Field, type FieldProps } from '../../ui/field.tsx';
import { messages } from './messages.ts';

export function PasswordField(props: Omit<FieldProps, 'type'>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="password">
      <Field {...props} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <button
        type="button"
        className="linklike"
        aria-pressed={shown}
        aria-label={`${shown ? messages.hidePassword : messages.showPassword}: ${props.label}`}
        onClick={() => setShown(!shown)}
      >
        {shown ? messages.hidePassword : messages.showPassword}
      </button>
    </div>
  );
}
