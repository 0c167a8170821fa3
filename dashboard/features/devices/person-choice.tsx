import type { Person } from '@porchlight/contract/devices.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { Field } from '../../ui/field.tsx';
import { LazyPhoneField } from '../../ui/phone/phone-field-lazy.tsx';
import { messages } from './messages.ts';

export interface PersonProblems {
  name?: string | undefined;
  phone_number?: string | undefined;
}

interface PersonChoiceProps {
  value: Person | null;
  onChange: (person: Person) => void;
  /** Called at each change of the phone number with the error text, or null. */
  onPhoneProblem: (problem: string | null) => void;
  problems: PersonProblems;
}

const nobody = { name: '', phone_number: '' };

/** P8.1: nothing is preselected, and an answer is optional. */
export function PersonChoice({ value, onChange, onPhoneProblem, problems }: PersonChoiceProps) {
  const choose = (is_holder: boolean) => {
    onPhoneProblem(null);
    onChange({ ...nobody, is_holder });
  };
  return (
    <fieldset className="plain">
      <legend className="label">{messages.person.heading}</legend>
      <Answer title={messages.person.me} checked={value?.is_holder === true} onChoose={() => choose(true)} />
      <Answer
        title={messages.person.other}
        hint={messages.person.otherHint}
        checked={value?.is_holder === false}
        onChoose={() => choose(false)}
      />
      {value?.is_holder === false && (
        <div className="stack person">
          <Field
            label={messages.person.name}
            name="person_name"
            maxLength={limits.guardian_name_max}
            autoComplete="off"
            value={value.name}
            onChange={(name) => onChange({ ...value, name })}
            hint={messages.person.nameHint}
            problem={problems.name}
          />
          <LazyPhoneField
            label={messages.person.phone}
            name="person_phone_number"
            value={value.phone_number}
            onChange={(phone_number) => onChange({ ...value, phone_number })}
            onProblem={onPhoneProblem}
            problem={problems.phone_number}
            hint={messages.person.phoneHint}
          />
        </div>
      )}
    </fieldset>
  );
}

function Answer({ title, hint, checked, onChoose }: { title: string; hint?: string; checked: boolean; onChoose: () => void }) {
  return (
    <label className="choice">
      <input type="radio" name="person" checked={checked} onChange={onChoose} />
      <span>
        <strong>{title}</strong>
        {hint && (
          <>
            <br />
            <span className="soft">{hint}</span>
          </>
        )}
      </span>
    </label>
  );
}
