import { useEffect } from 'react';
import { messages } from './messages.ts';
import { amountOff, howLong } from './promo-messages.ts';
import { usePromo } from './queries.ts';

/** What an offer takes off (2.41). One that cannot be looked up is no reason not to register: only the console hears of it (8.16). */
export function PromoBanner({ promo }: { promo: string }) {
  const { data, error } = usePromo(promo);
  useEffect(() => {
    if (error) console.warn('The offer could not be looked up, so no discount is shown.', error);
  }, [error]);
  return (
    <div aria-live="polite">
      {data && (
        <section className="note good" aria-label={messages.promo.label}>
          <p>
            <strong>{messages.promo.offer(amountOff(data), howLong(data))}</strong>
          </p>
          <p>{messages.promo.applied(data.code)}</p>
          {data.duration === 'repeating' && <p>{messages.promo.after}</p>}
        </section>
      )}
    </div>
  );
}
