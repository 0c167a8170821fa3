import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { useRef } from 'react';
import { inWords } from '../../../lib/dates.ts';
import { useNow } from '../../../lib/use-now.ts';
import { QuietStatus, useForm } from '../../../ui/form.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { messages } from './alert-messages.ts';
import { usePageActions } from './use-guardian-page.ts';

export function Answers({ alert }: { alert: GuardianView['alerts'][number] }) {
  const actions = usePageActions();
  const form = useForm();
  const now = useNow();
  const resultRef = useRef<HTMLDivElement>(null);
  const { answers } = alert;
  const press = () =>
    form.run(async () => {
      await actions?.sorted(alert.uuid);
      resultRef.current?.focus();
      return undefined;
    });
  return (
    <div className="stack">
      <div ref={resultRef} tabIndex={-1} role="status" className={answers.length ? 'stack' : 'sr'}>
        {answers.map(({ answer, by, you, time }) => (
          <p key={by + answer + time} className="on-it">
            <Icon name="tick" /> {messages.answers[answer](you ? null : by, inWords(new Date(time), now))}
          </p>
        ))}
      </div>
      {actions && !answers.some(({ you }) => you) && (
        <div>
          <button
            type="button"
            className="btn quiet"
            aria-label={messages.answers.of(alert.name)}
            disabled={form.loading}
            onClick={() => void press()}
          >
            {messages.answers.button}
          </button>
        </div>
      )}
      {form.error && <QuietStatus state={form} />}
    </div>
  );
}
