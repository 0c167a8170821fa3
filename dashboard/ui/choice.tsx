import { useId } from 'react';

/** A large switch or radio button. Screen readers read the label as its name, and the hint as its description. */
export function Choice({
  kind,
  name,
  label,
  hint,
  checked,
  onChange,
}: {
  kind: 'switch' | 'radio';
  name: string;
  label: string;
  hint: string;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <label className="choice">
      <input
        {...(kind === 'switch' ? { type: 'checkbox', role: 'switch' } : { type: 'radio' })}
        name={name}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
      />
      <span>
        <strong id={`${id}-label`}>{label}</strong>
        <br />
        <span id={`${id}-hint`} className="soft">
          {hint}
        </span>
      </span>
    </label>
  );
}
