import type { PromoCode } from '@porchlight/contract/subscriptions.ts';
import { useEffect } from 'react';
import { useDraft } from '../../lib/use-draft.ts';
import { Form } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { buy } from './buy-messages.ts';
import { IntervalChoice } from './interval-choice.tsx';
import { messages } from './messages.ts';
import { type Interval, offersOf, savesAsPromised } from './offers.ts';
import { PlanChoice } from './plan-choice.tsx';
import { amountOff, promoDuration, promoYears } from './promo-messages.ts';
import { useOrder, useProducts, usePromo } from './queries.ts';
import { useCheckoutRedirect } from './use-way-out.ts';

/** `promo`: from registration; `trial`: whether the plan begins with one. */
export function SubscribeForm({ promo: code, trial }: { promo: string | null; trial: boolean }) {
  // The choice is stored by product, so that switching between monthly and yearly keeps it.
  const [chosen, setChosen] = useDraft('subscribe', { interval: 'year' as Interval, product: '' });
  const products = useProducts();
  const promo = usePromo(code);
  const order = useOrder();
  const { form, go } = useCheckoutRedirect();
  useEffect(() => {
    if (promo.error) console.warn('The offer could not be looked up, so no discount is shown.', promo.error);
  }, [promo.error]);

  const offers = offersOf(products.data ?? [], chosen.interval);
  const price = offers.find(({ product }) => product === chosen.product)?.price;
  const submit = () => {
    if (price) void go(() => order({ price, promo: promo.data?.code ?? null }));
  };
  const footnote = promo.data?.duration === 'repeating' ? footnoteOf(promo.data, chosen.interval) : null;
  return (
    <Loading of={promo.isLoading ? { data: undefined, error: null } : products} height={480}>
      {() => (
        <Form state={form} onSubmit={submit} label={buy.heading}>
          {promo.data && (
            <PromoNote code={promo.data.code}>{buy.offer(amountOff(promo.data), promoDuration(promo.data), footnote ? '*' : '')}</PromoNote>
          )}
          <div className="choose">
            <IntervalChoice
              value={chosen.interval}
              onChange={(interval) => setChosen({ ...chosen, interval })}
              saves={savesAsPromised(products.data ?? [])}
            />
            <PlanChoice
              offers={offers}
              value={price}
              onChange={({ product }) => setChosen({ ...chosen, product })}
              promo={promo.data}
              trial={trial}
            />
          </div>
          {footnote && <p className="soft">{footnote}</p>}
          {!promo.data && <p className="soft">{buy.coupon}</p>}
          <div className="start">
            <button
              type="submit"
              className="btn big"
              disabled={!price || form.loading}
              title={price ? undefined : buy.choose}
              aria-describedby="start-hint"
            >
              {buy.start}
            </button>
            <p id="start-hint" className="soft" aria-live="polite">
              {!price ? buy.choose : trial ? buy.trialFirst : buy.payNext}
            </p>
            <p className="cancel">{buy.cancel}</p>
          </div>
        </Form>
      )}
    </Loading>
  );
}

const footnoteOf = (promo: PromoCode, interval: Interval) =>
  interval === 'year' ? buy.footnoteYearly(promoYears(promo)) : buy.footnote(promoDuration(promo));

function PromoNote({ code, children }: { code: string; children: string }) {
  return (
    <section className="note good" aria-label={messages.promo.label}>
      <p>
        <strong>{children}</strong>
      </p>
      <p>{buy.taken(code)}</p>
    </section>
  );
}
