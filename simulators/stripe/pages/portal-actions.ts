import type { Subscription } from '../api-types.ts';
import { priceOf } from '../catalog.ts';
import { cancel, changePrice, setEnding } from '../changes.ts';
import { endPeriod, endTrial, retryPayment } from '../lifecycle.ts';
import type { Shop } from '../shop.ts';
import { alter } from '../subscription.ts';

type Action = (shop: Shop, subscription: Subscription, form: URLSearchParams) => void;

/** The actions of the test portal's buttons, by the end of their address. */
export const portalActions: Record<string, Action> = {
  price: (shop, subscription, form) => changePrice(shop, subscription, priceOf(shop, form.get('price') ?? '')),
  cancel: (shop, subscription) => setEnding(shop, subscription, true),
  resume: (shop, subscription) => setEnding(shop, subscription, false),
  'card-fails': (shop, { customer }) => setCard(shop, customer, true),
  /** A new card also pays open invoices. */
  'card-works': (shop, subscription) => {
    setCard(shop, subscription.customer, false);
    const invoice = shop.state.invoices[subscription.latest_invoice ?? ''];
    if (subscription.status === 'past_due' && invoice) retryPayment(shop, subscription, invoice);
  },
  'end-trial': endTrial,
  'fail-now': (shop, subscription) => {
    setCard(shop, subscription.customer, true);
    setEnding(shop, subscription, false);
    if (subscription.status === 'trialing') return endTrial(shop, subscription);
    if (subscription.status !== 'active') return;
    alter(shop, subscription, () => {
      subscription.billing_cycle_anchor = shop.now;
    });
    endPeriod(shop, subscription);
  },
  'end-now': (shop, subscription) => cancel(shop, subscription, false),
};

function setCard({ state }: Shop, customer: string, fails: boolean): void {
  state.failing_cards = [...state.failing_cards.filter((id) => id !== customer), ...(fails ? [customer] : [])];
}
