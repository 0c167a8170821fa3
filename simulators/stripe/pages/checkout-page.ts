import { escape } from '../../html.ts';
import { totals } from '../checkout.ts';
import type { Shop } from '../shop.ts';
import type { Coupon, Session } from '../wire.ts';
import { button, dateInWords, dollars, frame, pathOf, priceInWords } from './frame.ts';

/** What is bought, and the buttons that buy it. `problem`: why the last try was refused; `typed`: the code that was typed for it. */
export function checkoutPage(shop: Shop, session: Session, problem = '', typed = ''): string {
  const { order, price, coupon, reduced, today } = totals(shop, session);
  const name = shop.state.products[price.product]?.name ?? price.id;
  const own = pathOf(shop, `/checkout/${session.id}`);
  const rows: [string, string][] = [
    ['What you order', name],
    ['Price', priceInWords(price)],
    ...(coupon ? ([['With the promotion', `${priceInWords(price, reduced)} ${lengthInWords(coupon)}`]] as [string, string][]) : []),
    ...(order.trial_days
      ? ([['Free trial', `${order.trial_days} days, until ${dateInWords(shop.now + order.trial_days * 86_400)}`]] as [string, string][])
      : []),
    ['Due today', dollars(today)],
  ];
  const list = `<dl>${rows.map(([term, words]) => `<dt>${term}</dt><dd>${escape(words)}</dd>`).join('')}</dl>`;
  const alert = problem ? `<p class="alert" role="alert" id="problem">${escape(problem)}</p>` : '';
  const heading = '<h1>This is a test checkout. Nothing is charged.</h1>';
  const back = button(`${own}/back`, 'Go back');
  if (session.status !== 'open') {
    const over = session.status === 'complete' ? 'This order is done already.' : 'This page has expired. Order again to get a new one.';
    return frame('Test checkout', `${heading}<p>${over}</p>${back}`);
  }
  const code = session.allow_promotion_codes
    ? `<label for="promotion_code">Promotion code, if you have one</label><input id="promotion_code" name="promotion_code" autocomplete="off" autocapitalize="characters" value="${escape(typed)}"${typed ? ' aria-invalid="true" aria-describedby="problem" autofocus' : ''}>`
    : '';
  const verb = order.trial_days ? 'Start trial' : `Pay ${dollars(today)}`;
  const failing = order.trial_days ? 'Start trial with a card that will fail' : 'Pay with a card that is declined';
  return frame(
    'Test checkout',
    `${heading}${alert}${list}${button(`${own}/pay`, verb, { main: true, fields: code })}${button(`${own}/pay-failing`, failing)}${back}`,
  );
}

function lengthInWords({ duration, duration_in_months: months }: Coupon): string {
  if (duration === 'forever') return 'for as long as it runs';
  if (duration === 'once') return 'the first time';
  return months === 1 ? 'in the first month' : `in the first ${months} months`;
}
