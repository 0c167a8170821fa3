import type { PromoCode } from '@porchlight/contract/subscriptions.ts';
import { useId } from 'react';
import { dollars } from '../../lib/money.ts';
import { Icon } from '../../ui/icons.tsx';
import { buy } from './buy-messages.ts';
import type { Offer } from './offers.ts';
import { priceMessage } from './price-messages.ts';
import { withPromo } from './promo-messages.ts';

interface PlanChoiceProps {
  offers: Offer[];
  value: string | undefined;
  onChange: (offer: Offer) => void;
  promo: PromoCode | undefined;
  /** Whether the plan begins with a trial; false after an earlier one. */
  trial: boolean;
}

/** The plans side by side (2.119 to 2.125). */
export function PlanChoice({ offers, value, onChange, promo, trial }: PlanChoiceProps) {
  if (!offers.length) return <p className="note look">{buy.none}</p>;
  return (
    <fieldset className="plain">
      <legend className="label">{buy.plans}</legend>
      <div className="plans">
        {offers.map((offer) => (
          <PlanOption
            key={offer.product}
            offer={offer}
            promo={promo}
            trial={trial}
            checked={offer.price === value}
            onChoose={() => onChange(offer)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface PlanOptionProps {
  offer: Offer;
  promo: PromoCode | undefined;
  trial: boolean;
  checked: boolean;
  onChoose: () => void;
}

/** The option's accessible name is plan and price; the rest describes it. */
function PlanOption({ offer, promo, trial, checked, onChoose }: PlanOptionProps) {
  const id = useId();
  const { amount, interval, device_limit: limit } = offer;
  const regularPrice = priceMessage(amount, interval);
  const facts = [trial ? buy.trial : buy.trialUsed, ...(limit > 1 ? [buy.friends] : []), buy.supports(limit)];
  return (
    <label className="choice plan">
      <input
        type="radio"
        name="price"
        value={offer.price}
        checked={checked}
        onChange={onChoose}
        aria-labelledby={`${id}-name ${id}-price`}
        aria-describedby={`${id}-facts`}
      />
      <span className="plan-body">
        <strong className="plan-name" id={`${id}-name`}>
          {offer.name}
        </strong>
        <span className="plan-price" id={`${id}-price`}>
          {promo ? (
            <>
              <strong>{priceMessage(withPromo(amount, promo), interval)}</strong>
              {promo.duration === 'repeating' && '*'}{' '}
              <span className="plan-regular">
                {buy.insteadOf} <s>{regularPrice}</s>
              </span>
            </>
          ) : (
            <strong>{regularPrice}</strong>
          )}
          {!promo && interval === 'year' && <span className="plan-monthly">{buy.aMonth(dollars(amount / 12))}</span>}
        </span>
        <span className="plan-facts" id={`${id}-facts`}>
          {facts.map((fact) => (
            <span className="plan-fact" key={fact}>
              <Icon name="tick" />
              <span>{fact}</span>
            </span>
          ))}
        </span>
      </span>
    </label>
  );
}
