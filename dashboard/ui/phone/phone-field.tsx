import { limits } from '@porchlight/contract/limits.ts';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { Field } from '../field.tsx';
import { countryName, countryRows } from './countries.ts';
import { messages } from './messages.ts';
import { type Country, phoneProblem, phoneText, readPhone, shownPhone, withoutCallingCode } from './phone.ts';

/** Exported here, so that the library of countries stays in one chunk. */
export { phoneText };

export interface PhoneFieldProps {
  label: string;
  name: string;
  /** A full international number (`+12025550143`) or ''. */
  value: string;
  /** Receives a full number, or '' also for invalid input: check `onProblem` before saving a ''. */
  onChange: (value: string) => void;
  /** Called at each change with the error text, or null. */
  onProblem?: (problem: string | null) => void;
  /** Shown beside the field. Without it the field shows its own error once it loses the focus. */
  problem?: string | undefined;
  hint?: ReactNode;
}

interface Typed {
  own: Country;
  country: Country;
  text: string;
  number: string;
  left: boolean;
}

/** A country and a number (5.17). It is reformatted only on blur, because a moving caret confuses. */
export function PhoneField({ label, name, value, onChange, onProblem, problem, hint }: PhoneFieldProps) {
  const id = useId();
  const [typedInput, setTypedInput] = useState(() => typedFrom(value));
  const [announcement, setAnnouncement] = useState('');
  // A new value from outside restarts the field.
  if (value !== typedInput.number) setTypedInput(typedFrom(value));
  const rows = useMemo(() => countryRows(typedInput.own), [typedInput.own]);
  const listed = rows.some(({ country }) => country === typedInput.country);

  const read = (country: Country, text: string) => {
    const reading = readPhone(country, text);
    setTypedInput({ ...typedInput, country: reading.country, text, number: reading.number, left: false });
    if (reading.country !== country) setAnnouncement(messages.countryIs(countryName(reading.country)));
    if (reading.number !== typedInput.number) onChange(reading.number);
    onProblem?.(phoneProblem(country, text));
  };
  const leave = () => {
    const formattedText = typedInput.number ? shownPhone(typedInput.number).text : typedInput.text;
    setTypedInput({ ...typedInput, text: formattedText, left: true });
  };

  return (
    <div className="phone">
      <div className="field">
        <label htmlFor={id}>{messages.country}</label>
        <select
          id={id}
          value={typedInput.country}
          onChange={(event) => read(event.target.value as Country, withoutCallingCode(typedInput.country, typedInput.text))}
        >
          {rows.map((row) => (
            <option key={row.country} value={row.country}>
              {row.label}
            </option>
          ))}
          {!listed && <option value={typedInput.country}>{countryName(typedInput.country)}</option>}
        </select>
      </div>
      <Field
        label={label}
        name={name}
        type="tel"
        autoComplete="tel"
        maxLength={limits.phone_input_max}
        value={typedInput.text}
        onChange={(text) => read(typedInput.country, text)}
        onBlur={leave}
        problem={problem ?? (typedInput.left ? (phoneProblem(typedInput.country, typedInput.text) ?? undefined) : undefined)}
        hint={hint}
      />
      <span className="sr" role="status">
        {announcement}
      </span>
    </div>
  );
}

function typedFrom(number: string): Typed {
  const { country, text } = shownPhone(number);
  return { own: country, country, text, number, left: false };
}
