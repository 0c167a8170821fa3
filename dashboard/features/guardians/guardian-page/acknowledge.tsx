import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { useRef } from 'react';
import { inWords } from '../../../lib/dates.ts';
import { useNow } from '../../../lib/use-now.ts';
import { QuietStatus, useForm } from '../../../ui/form.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { messages } from './messages.ts';
import { usePageActions } from './use-guardian-page.ts';

/** The button *I'm on it* (P5.2). `big`: for the alert at the top of the page. */
export function Acknowledge({ alert, big = false }: { alert: GuardianView['alerts'][number]; big?: boolean }) {
  const actions = usePageActions();
  const form = useForm();
  const now = useNow();
  const resultRef = useRef<HTMLParagraphElement>(null);
  const press = () =>
    form.run(async () => {
      await actions?.seen(alert.uuid);
      resultRef.current?.focus();
      return undefined;
    });
  if (!alert.seen && !actions) return <p className="soft">{messages.onIt.notYet}</p>;
  return (
    <div>
      {/* The live region exists from the start, so its text is announced. */}
      <p ref={resultRef} tabIndex={-1} role="status" className={alert.seen ? 'on-it' : 'sr'}>
        {alert.seen && (
          <>
            <Icon name="tick" /> {messages.onIt.said(inWords(new Date(alert.seen), now))}
          </>
        )}
      </p>
      {!alert.seen && (
        <>
          <button
            type="button"
            className={big ? 'btn big' : 'btn'}
            aria-label={big ? undefined : messages.onIt.of(alert.name)}
            disabled={form.loading}
            onClick={() => void press()}
          >
            {messages.onIt.button}
          </button>
          {big && <p className="soft small">{messages.onIt.hint}</p>}
        </>
      )}
      {form.error && <QuietStatus state={form} />}
    </div>
  );
}
