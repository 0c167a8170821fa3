import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

export type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'onChange' | 'value'> & {
  label: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  problem?: string | undefined;
  hint?: ReactNode;
};

export function Field({ label, name, value, onChange, problem, hint, ...input }: FieldProps) {
  const id = useId();
  const describedBy = [problem ? `${id}-problem` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        name={name}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      {hint && (
        <div id={`${id}-hint`} className="soft small">
          {hint}
        </div>
      )}
      {problem && (
        <p id={`${id}-problem`} className="problem">
          {problem}
        </p>
      )}
    </div>
  );
}

export function Check({
  checked,
  onChange,
  children,
  name,
  problem,
  disabled = false,
}: {
  checked: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
  name: string;
  problem?: string | undefined;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          name={name}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? id : undefined}
        />
        <span>{children}</span>
      </label>
      {problem && (
        <p id={id} className="problem">
          {problem}
        </p>
      )}
    </div>
  );
}
