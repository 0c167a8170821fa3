import { useEffect, useRef, useState } from 'react';
import { call } from '../../lib/call.ts';
import { HttpError } from '../../lib/http.ts';
import { Form, useForm } from '../../ui/form.tsx';

const messages = {
  ask: (name: string) => (name ? `Ask ${name} for a new code` : 'Ask for a new code'),
  asked: (name: string) => `We emailed ${name || 'the person who sent it'}. Wait for a new link, and open that one on this computer.`,
  newer: (name: string) => `This link no longer works. Ask ${name || 'the person who sent it'} for a new one.`,
} as const;

/** P3.5. `holder`: the holder's first name; empty if unknown. */
export function AskForCode({ code, holder }: { code: string; holder: string }) {
  const [answer, setAnswer] = useState<'asked' | 'newer' | null>(null);
  const form = useForm();
  const resultRef = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (answer) resultRef.current?.focus();
  }, [answer]);
  const ask = () =>
    form.run(async () => {
      try {
        await call('POST /code/ask', { body: { code } });
        setAnswer('asked');
      } catch (err) {
        if (!(err instanceof HttpError) || err.code !== 'code_unknown') throw err;
        setAnswer('newer');
      }
      return undefined;
    });
  if (answer)
    return (
      <p className={answer === 'asked' ? 'note good' : 'note look'} role="status" ref={resultRef} tabIndex={-1}>
        {messages[answer](holder)}
      </p>
    );
  return (
    <Form state={form} onSubmit={() => void ask()}>
      <button type="submit" className="btn" disabled={form.loading}>
        {messages.ask(holder)}
      </button>
    </Form>
  );
}
