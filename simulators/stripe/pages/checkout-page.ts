import { escape } from '../../html.ts';
import type { Coupon, Session } from '../api-types.ts';
import { totals } from '../checkout.ts';
import type { Shop } from '../shop.ts';
import { button, dateInWords, dollars, frame, pathOf, priceInWords } from './frame.ts';

/** `problem`: why the last attempt was refused; `typedCode`: the promotion code of that attempt. */
export function checkoutPage(shop: Shop, session: Session, problem = '', typedCode = ''): string {
  const { order, price, coupon, reduced, today } = totals(shop, session);
  const name = shop.state.products[price.product]?.name ?? price.id;
  const pagePath = pathOf(shop, `/checkout/${session.id}`);
  const rows: [string, string][] = [
    ['What you order', name],
    ['Price', priceInWords(price)],
    ...(coupon ? ([['With the promotion', `${priceInWords(price, reduced)} ${lengthInWords(coupon)}`]] as [string, string][]) : []),
    ...(order.trial_days
      ? ([['Free trial', `${order.trial_days} days, until ${dateInWords(shop.now + order.trial_days * 86_400)}`]] as [string, string][])
      : []),
    ['Due today', dollars(today)],
  ];
  const list = `<dl>${rows.map(([term, description]) => `<dt>${term}</dt><dd>${escape(description)}</dd>`).join('')}</dl>`;
  const alert = problem ? `<p class="alert" role="alert" id="problem">${escape(problem)}</p>` : '';
  const heading = '<h1>This is a test checkout. Nothing is charged.</h1>';
  const backButton = button(`${pagePath}/back`, 'Go back');
  if (session.status !== 'open') {
    const endedText =
      session.status === 'complete' ? 'This order is done already.' : 'This page has expired. Order again to get a new one.';
    return frame('Test checkout', `${heading}<p>${endedText}</p>${backButton}`);
  }
  const code = session.allow_promotion_codes
    ? `<label for="promotion_code">Promotion code, if you have one</label><input id="promotion_code" name="promotion_code" autocomplete="off" autocapitalize="characters" value="${escape(typedCode)}"${typedCode ? ' aria-invalid="true" aria-describedby="problem" autofocus' : ''}>`
    : '';
  const verb = order.trial_days ? 'Start trial' : `Pay ${dollars(today)}`;
  const failingLabel = order.trial_days ? 'Start trial with a card that will fail' : 'Pay with a card that is declined';
  return frame(
    'Test checkout',
    `${heading}${alert}${list}${button(`${pagePath}/pay`, verb, { main: true, fields: code })}${button(`${pagePath}/pay-failing`, failingLabel)}${backButton}`,
  );
}

function lengthInWords({ duration, duration_in_months: months }: Coupon): string {
  if (duration === 'forever') return 'for as long as it runs';
  if (duration === 'once') return 'the first time';
  return months === 1 ? 'in the first month' : `in the first ${months} months`;
}
