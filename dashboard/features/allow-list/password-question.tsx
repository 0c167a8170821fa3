import { type ComponentType, Suspense } from 'react';
import { messages } from './messages.ts';

export type PasswordStep = ComponentType<{ lead: string; submit: string; onEntered: () => Promise<void> }>;

interface PasswordQuestionProps {
  /** The program that is allowed once the password was entered. */
  name: string;
  step: PasswordStep;
  onEntered: () => Promise<void>;
  onCancel: () => void;
}

/** For somebody else's computer, where the program then runs from its first start (P15.2). */
export function PasswordQuestion({ name, step: Step, onEntered, onCancel }: PasswordQuestionProps) {
  return (
    <>
      <Suspense fallback={<p>{messages.ask.password(name)}</p>}>
        {/* The field takes the focus once it is here. */}
        <div ref={(step) => step?.querySelector('input')?.focus()}>
          <Step lead={messages.ask.password(name)} submit={messages.ask.confirm(name)} onEntered={onEntered} />
        </div>
      </Suspense>
      <button type="button" className="btn quiet" onClick={onCancel}>
        {messages.cancel}
      </button>
    </>
  );
}
