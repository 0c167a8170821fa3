import { limits } from '@porchlight/contract/limits.ts';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { Field } from '../field.tsx';
import { countryName, countryRows } from './countries.ts';
import { messages } from './messages.ts';
import { type Country, phoneProblem, phoneText, readPhone, shownPhone, withoutCallingCode } from './phone.ts';

/** Beside the field, so that the library of countries comes in one piece. */
export { phoneText };

export interface PhoneFieldProps {
  label: string;
  name: string;
  /** A full international number (`+12025550143`) or ''. */
  value: string;
  /** Gets nothing less than a full number, or '': also while what is typed is none yet, so look at `onProblem` before you save a ''. */
  onChange: (value: string) => void;
  /** Hears at each change what is wrong with what is typed, in words; null when nothing is. */
  onProblem?: (problem: string | null) => void;
  /** Stands beside the field. Without it the field says what is wrong by itself, once one has left it. */
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

/** A country and a number (5.17). It is not rewritten while one types, because a caret that moves confuses; only once one has left it. */
export function PhoneField({ label, name, value, onChange, onProblem, problem, hint }: PhoneFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(() => begin(value));
  const [announced, setAnnounced] = useState('');
  // A new value from outside restarts the field.
  if (value !== typed.number) setTyped(begin(value));
  const rows = useMemo(() => countryRows(typed.own), [typed.own]);
  const listed = rows.some(({ country }) => country === typed.country);

  const read = (country: Country, text: string) => {
    const reading = readPhone(country, text);
    setTyped({ ...typed, country: reading.country, text, number: reading.number, left: false });
    if (reading.country !== country) setAnnounced(messages.countryIs(countryName(reading.country)));
    if (reading.number !== typed.number) onChange(reading.number);
    onProblem?.(phoneProblem(country, text));
  };
  const leave = () => {
    const nice = typed.number ? shownPhone(typed.number).text : typed.text;
    setTyped({ ...typed, text: nice, left: true });
  };

  return (
    <div className="phone">
      <div className="field">
        <label htmlFor={id}>{messages.country}</label>
        <select
          id={id}
          value={typed.country}
          onChange={(event) => read(event.target.value as Country, withoutCallingCode(typed.country, typed.text))}
        >
          {rows.map((row) => (
            <option key={row.country} value={row.country}>
              {row.label}
            </option>
          ))}
          {!listed && <option value={typed.country}>{countryName(typed.country)}</option>}
        </select>
      </div>
      <Field
        label={label}
        name={name}
        type="tel"
        autoComplete="tel"
        maxLength={limits.phone_input_max}
        value={typed.text}
        onChange={(text) => read(typed.country, text)}
        onBlur={leave}
        problem={problem ?? (typed.left ? (phoneProblem(typed.country, typed.text) ?? undefined) : undefined)}
        hint={hint}
      />
      <span className="sr" role="status">
        {announced}
      </span>
    </div>
  );
}

function begin(number: string): Typed {
  const { country, text } = shownPhone(number);
  return { own: country, country, text, number, left: false };
}
