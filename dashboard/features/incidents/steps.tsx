import type { Incident, IncidentStep } from '@porchlight/contract/incidents.ts';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { reportHandledError } from '../../lib/handled-errors.ts';
import type { PersonAt } from '../../lib/person-messages.ts';
import { Check } from '../../ui/field.tsx';
import { eventTime } from './event-time.ts';
import { messages } from './messages.ts';

interface StepsProps {
  incident: Incident;
  user: PersonAt;
  tick: (step: IncidentStep, done: boolean) => Promise<void>;
}

/** What to do now. A tick shows before the server has it; an error is beside its step, and the tick goes back. */
export function Steps({ incident: { steps, opened, reader_counts }, user, tick }: StepsProps) {
  const [pending, setPending] = useState<Partial<Record<IncidentStep, boolean>>>({});
  const [errors, setErrors] = useState<Partial<Record<IncidentStep, string>>>({});
  const stepTexts = messages.todo.steps(user);
  const change = async (step: IncidentStep, done: boolean) => {
    setPending((before) => ({ ...before, [step]: done }));
    setErrors(({ [step]: _fixed, ...others }) => others);
    try {
      await tick(step, done);
    } catch (err) {
      setErrors((before) => ({ ...before, [step]: errorText(err) }));
      reportHandledError(err);
    }
    setPending(({ [step]: _settled, ...others }) => others);
  };
  return (
    <section className="card stack" aria-labelledby="todo">
      <h2 id="todo" className="minor">
        {messages.todo.heading}
      </h2>
      <ul>
        {steps.map(({ step, done, from_account }) => (
          <li key={step}>
            <Check
              name={step}
              checked={pending[step] ?? (done !== null || (!reader_counts && from_account !== null))}
              // The family's tick is not the account's to take back.
              disabled={!reader_counts && done !== null}
              onChange={(on) => void change(step, on)}
              problem={errors[step]}
            >
              {stepTexts[step]}{' '}
              {done && <span className="soft small">{messages.todo.done(done.you ? null : done.by, eventTime(done.time, opened))}</span>}
              {from_account && !done && (
                <span className="small from-account">
                  {messages.todo.fromAccount(from_account.you ? null : from_account.by, eventTime(from_account.time, opened))}
                </span>
              )}
            </Check>
          </li>
        ))}
      </ul>
    </section>
  );
}
