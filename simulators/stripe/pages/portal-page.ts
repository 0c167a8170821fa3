import { escape } from '../../html.ts';
import type { PortalSession, Subscription } from '../api-types.ts';
import type { Shop } from '../shop.ts';
import { isOpen, itemOf } from '../subscription.ts';
import { button, dateInWords, dollars, frame, pathOf, priceInWords } from './frame.ts';

/** The newest open subscription, else the newest subscription. */
export function subscriptionIn({ state }: Shop, { customer }: PortalSession): Subscription | undefined {
  const subscriptions = Object.values(state.subscriptions).filter((row) => row.customer === customer);
  return subscriptions.findLast(isOpen) ?? subscriptions.at(-1);
}

/** `problem`: why the portal refused the last action. */
export function portalPage(shop: Shop, portal: PortalSession, problem = ''): string {
  const pagePath = pathOf(shop, `/portal/${portal.id}`);
  const subscription = subscriptionIn(shop, portal);
  const alert = problem ? `<p class="alert" role="alert">${escape(problem)}</p>` : '';
  const heading = '<h1>This is a test portal. Nothing is charged.</h1>';
  const backButton = portal.return_url ? button(`${pagePath}/back`, 'Go back') : '';
  if (!subscription) return frame('Test portal', `${heading}<p>There is no plan.</p>${backButton}`);
  const { price } = itemOf(subscription);
  const fails = shop.state.failing_cards.includes(portal.customer);
  const facts = `<p>${escape(shop.state.products[price.product]?.name ?? price.id)}, ${priceInWords(price)}.</p><p>${stateInWords(shop, subscription)} ${fails ? 'The card fails.' : 'The card works.'}</p>`;
  const forms = isOpen(subscription) ? formsFor(shop, subscription, pagePath, fails) : '';
  return frame('Test portal', `${heading}${alert}${facts}${backButton}${forms}`);
}

function formsFor(shop: Shop, subscription: Subscription, pagePath: string, fails: boolean): string {
  const { price } = itemOf(subscription);
  const { status, cancel_at_period_end: ending } = subscription;
  const options = Object.values(shop.state.prices)
    .filter((other) => other.active && other.id !== price.id)
    .map(
      (other) =>
        `<option value="${escape(other.id)}">${escape(shop.state.products[other.product]?.name ?? other.id)}, ${priceInWords(other)}</option>`,
    );
  const select = `<label for="price">Another plan</label><select id="price" name="price">${options.join('')}</select>`;
  return [
    '<h2>Change it</h2>',
    button(`${pagePath}/price`, 'Change the plan', { fields: select }),
    ending ? button(`${pagePath}/resume`, 'Go on after all') : button(`${pagePath}/cancel`, 'Cancel at the end of the period'),
    '<h2>Let something happen</h2>',
    fails ? button(`${pagePath}/card-works`, 'Make payments work again') : button(`${pagePath}/card-fails`, 'Make the next payment fail'),
    status === 'trialing' ? button(`${pagePath}/end-trial`, 'End the trial now') : '',
    status === 'past_due' ? '' : button(`${pagePath}/fail-now`, 'Fail a payment now'),
    button(`${pagePath}/end-now`, 'End the plan now'),
  ].join('');
}

function stateInWords({ state }: Shop, subscription: Subscription): string {
  const { current_period_end, price } = itemOf(subscription);
  const end = dateInWords(current_period_end);
  const invoice = state.invoices[subscription.latest_invoice ?? ''];
  if (subscription.status === 'canceled') return `The plan ended on ${dateInWords(subscription.ended_at ?? 0)}.`;
  if (subscription.cancel_at_period_end) return `The plan ends on ${end} and is not renewed.`;
  if (subscription.status === 'trialing') return `A free trial until ${end}, then ${priceInWords(price)}.`;
  if (subscription.status === 'active') return `Paid until ${end}, then it renews.`;
  const nextAttempt = invoice?.next_payment_attempt;
  return `The last payment of ${dollars(invoice?.amount_due ?? 0)} did not go through.${nextAttempt ? ` It is tried again on ${dateInWords(nextAttempt)}.` : ''}`;
}
