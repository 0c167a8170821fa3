import { useId, useState } from 'react';
import { Form, useForm } from '../../ui/form.tsx';
import { messages } from './messages.ts';
import { useBrowsingProtection } from './queries.ts';

const answers = ['network', 'quad9'] as const;

/** Who looks up website names, asked once for each account; shows nothing until it is known that nobody has chosen (P16.6). */
export function ResolverOffer() {
  const { protection, change } = useBrowsingProtection();
  const form = useForm();
  const headingId = useId();
  const [answered, setAnswered] = useState(false);
  if (!protection.data || (protection.data.resolver_chosen && !answered)) return null;
  const answer = (resolver: (typeof answers)[number]) =>
    form.run(async () => {
      await change({ resolver });
      setAnswered(true);
      return undefined;
    });
  const { heading, yes, no, both } = messages.offer;
  return (
    <section className="card stack" aria-labelledby={headingId}>
      <h2 id={headingId}>{heading}</h2>
      <Form state={form} onSubmit={() => undefined}>
        <p role="status">{answered ? messages.offer.saved : messages.resolver.hint}</p>
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
                  {one === 'quad9' ? yes : no}
                </button>
              </div>
            ))}
            <p className="soft">{both}</p>
          </>
        )}
      </Form>
    </section>
  );
}
