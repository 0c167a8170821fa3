import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { firstName } from '../../texts/formatting.ts';

interface Plan {
  plan: string;
  /** In cents. */
  amount: number;
  interval: 'month' | 'year';
}

const button = (label: string, url: string) => ({ button: { label, url } });
const devicesStay = 'Your devices stay on your dashboard. The free plan goes on blocking remote-control programs on them.';

/** Sent three days before a trial ends (P6.3). */
export function trialEndsEmail(name: string, plan: Plan, ends: Date, url: string): WrittenEmail {
  const day = date(ends);
  return writeEmail({
    subject: `Your free trial ends on ${day}`,
    heading: `Your free trial ends on ${day}, ${firstName(name)}`,
    paragraphs: [
      `Then ${plan.plan || 'your plan'} begins, for ${price(plan)}, unless an offer makes it less. There’s nothing to do.`,
      'Do you not want it? End it before that day with Manage Plan, and nothing is charged. The free plan goes on protecting your devices.',
    ],
    ...button('Go to my dashboard', url),
  });
}

/** Sent three days before the end of a plan that does not renew (P6.3). */
export function endsEmail(name: string, plan: Plan, ends: Date, url: string): WrittenEmail {
  const day = date(ends);
  return writeEmail({
    subject: `Your plan ends on ${day}`,
    heading: `Your plan ends on ${day}, ${firstName(name)}`,
    paragraphs: [
      `You chose not to renew ${plan.plan || 'it'}, so nothing more is charged.`,
      devicesStay,
      'Would you like to keep the whole protection? Choose Manage Plan before that day.',
    ],
    ...button('Go to my dashboard', url),
  });
}

export function paymentFailedEmail(name: string, plan: Plan, url: string): WrittenEmail {
  return writeEmail({
    subject: 'Your payment did not go through',
    heading: `Your payment did not go through, ${firstName(name)}`,
    paragraphs: [
      `We could not charge your card for ${plan.plan || 'your plan'} (${price(plan)} before any offer). Your devices are still protected.`,
      'We try again in a few days. To put it right now, choose Manage Plan on your dashboard and check your card.',
    ],
    ...button('Go to my dashboard', url),
  });
}

export function endedEmail(name: string, plan: Plan, url: string): WrittenEmail {
  return writeEmail({
    subject: 'Your plan has ended',
    heading: `Your plan has ended, ${firstName(name)}`,
    paragraphs: [
      `${plan.plan || 'It'} is over, and nothing more is charged.`,
      `${devicesStay} We still write to you and your guardians when something happens.`,
      'You can choose a plan again at any time.',
    ],
    ...button('Go to my dashboard', url),
  });
}

/** A date as MM/dd/yyyy (9.3), in UTC like Stripe's dates. */
function date(moment: Date): string {
  const [year, month, day] = moment.toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

/** A price such as `$79.99 a year`. */
function price({ amount, interval }: Plan): string {
  return `$${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')} a ${interval}`;
}
