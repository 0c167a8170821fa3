import { useEffect, useRef, useState } from 'react';
import { call } from '../../lib/call.ts';
import { HttpError } from '../../lib/http.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { messages } from './expired-messages.ts';

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
