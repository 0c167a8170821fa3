import { useId, useRef, useState } from 'react';
import { Form, useForm } from '../../ui/form.tsx';
import { messages } from './messages.ts';
import { useBrowsingProtection } from './queries.ts';

const answers = ['network', 'quad9'] as const;

/** Who looks up website names, asked once for each account; shows nothing until it is known that nobody has chosen (P16.6). */
export function ResolverOffer() {
  const { protection, change } = useBrowsingProtection();
  const form = useForm();
  const headingId = useId();
  const result = useRef<HTMLParagraphElement>(null);
  const [answered, setAnswered] = useState(false);
  // The answer is loaded before the write ends; the question must not vanish in between, nor the focus with it.
  if (!protection.data || (protection.data.resolver_chosen && !answered && !form.loading)) return null;
  const answer = (resolver: (typeof answers)[number]) =>
    form.run(async () => {
      await change({ resolver });
      setAnswered(true);
      result.current?.focus();
      return undefined;
    });
  return (
    <section className="card stack" aria-labelledby={headingId}>
      <h2 id={headingId}>{messages.offer.heading}</h2>
      <Form state={form} onSubmit={() => undefined}>
        <p ref={result} tabIndex={-1} role="status">
          {answered ? messages.offer.saved : messages.resolver.hint}
        </p>
        {!answered && (
          <>
            {answers.map((one) => (
              <div key={one} className="stack">
                <p id={`${headingId}-${one}`}>{messages.resolver.means[one]}</p>
                <button
                  type="button"
                  className="btn quiet"
                  aria-describedby={`${headingId}-${one}`}
                  disabled={form.loading}
                  onClick={() => void answer(one)}
                >
                  {messages.offer[one]}
                </button>
              </div>
            ))}
            <p className="soft">{messages.offer.either}</p>
          </>
        )}
      </Form>
    </section>
  );
}
