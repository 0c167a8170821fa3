import { limits } from '@porchlight/contract/limits.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import { type ReactNode, useState } from 'react';
import { FormError } from '../../../lib/error-text.ts';
import { paths } from '../../../lib/paths.ts';
import { Field } from '../../../ui/field.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { Link } from '../../../ui/link.tsx';
import { messages } from '../messages.ts';
import { PersonChoice } from '../person-choice.tsx';
import { type Draft, newDraftId, type PolicyChoice, type Setup, writeSetup } from './draft.ts';

/**
 * Name, user and protection profile (2.65, P8.1); for this device also its `compatibility` (2.71). An agent does not reveal its account, so
 * if one is
 * found the user must say whether this computer is meant (2.69).
 */
export function PolicyStep({
  setup,
  compatibility,
  policyChoice,
  onDone,
  onMove,
}: {
  setup: Setup;
  compatibility: ReactNode;
  policyChoice: PolicyChoice;
  onDone: (draft: Draft) => void;
  /** Called when this computer moves here from another account. */
  onMove: () => void;
}) {
  const machine = setup.machine ?? 'self';
  const earlierValues = setup.typed ?? setup.draft;
  const [name, setName] = useState(earlierValues?.name ?? '');
  const [policy, setPolicy] = useState<PolicyId>(earlierValues?.policy ?? 'strict');
  const [person, setPerson] = useState(earlierValues?.person ?? null);
  const [phoneProblem, setPhoneProblem] = useState<string | null>(null);
  const form = useForm();
  const submit = () =>
    form.run(async () => {
      if (!name.trim()) throw new FormError({ name: messages.policy.nameNeeded });
      if (phoneProblem) throw new FormError({ phone_number: phoneProblem });
      onDone({ id: setup.draft?.id ?? newDraftId(), machine, name: name.trim(), policy, person });
      return undefined;
    });
  return (
    <>
      <h1>{messages.policy.heading}</h1>
      {machine === 'self' && compatibility}
      {setup.here && (
        <div className="note stack">
          <p role="status">{messages.policy.here}</p>
          <p>{messages.policy.foreign}</p>
          <button type="button" className="btn quiet" onClick={onMove}>
            {messages.policy.move}
          </button>
        </div>
      )}
      <Form state={form} onSubmit={() => void submit()} label={messages.policy.heading}>
        <Field
          label={messages.policy.name}
          name="name"
          maxLength={limits.name_max}
          autoComplete="off"
          value={name}
          onChange={setName}
          hint={messages.policy.nameHint}
          problem={form.fields.name}
        />
        <PersonChoice
          value={person}
          onChange={setPerson}
          onPhoneProblem={setPhoneProblem}
          problems={{ phone_number: form.fields.phone_number }}
        />
        {policyChoice(policy, setPolicy)}
        <p>
          <Link
            className="alone"
            to={paths.newPolicy('setup')}
            onClick={() => writeSetup({ ...setup, machine, typed: { name, policy, person } })}
          >
            {messages.policy.own}
          </Link>
        </p>
        <button type="submit" className="btn big">
          {messages.next}
        </button>
      </Form>
    </>
  );
}
