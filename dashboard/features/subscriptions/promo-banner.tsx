import { useEffect } from 'react';
import { messages } from './messages.ts';
import { amountOff, promoDuration } from './promo-messages.ts';
import { usePromo } from './queries.ts';

/** 2.41. If the lookup fails, only the console shows it (8.16). */
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
            <strong>{messages.promo.offer(amountOff(data), promoDuration(data))}</strong>
          </p>
          <p>{messages.promo.applied(data.code)}</p>
          {data.duration === 'repeating' && <p>{messages.promo.after}</p>}
        </section>
      )}
    </div>
  );
}
