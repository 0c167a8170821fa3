import { counted } from '@porchlight/contract/language.ts';
import { limits } from '@porchlight/contract/limits.ts';

export const buy = {
  heading: 'Choose your plan',
  lead: 'Protection for your computers, and for those of the people you look out for.',
  again: 'Choose a plan, and your devices are protected in full again.',
  unverified: 'Your email address is not verified. Please check your inbox.',
  interval: 'How often do you want to pay?',
  intervals: { month: 'Monthly', year: 'Yearly', saving: `Yearly (save ${limits.yearly_saving}%)` },
  plans: 'Which plan do you want?',
  trial: `${limits.trial_days}-day free trial`,
  trialUsed: `${limits.trial_days}-day free trial (you have had yours)`,
  friends: 'For yourself, friends, and family',
  supports: (n: number) => `Supports up to ${counted(n, 'device')}`,
  insteadOf: 'instead of',
  offer: (discount: string, duration: string, note: string) => `${discount} for ${duration}${note}`,
  taken: (code: string) => `The offer ${code} is taken off already.`,
  footnote: (duration: string) => `* After ${duration} your subscription renews at the regular price.`,
  footnoteYearly: (years: string) =>
    `* If you pay yearly, it’s taken off ${years}. After that your subscription renews at the regular price.`,
  coupon: 'If you have a coupon code, enter it on the next page.',
  aMonth: (price: string) => `About ${price} a month`,
  start: 'Start Subscription',
  cancel: 'You can cancel any time. Press Manage Plan on your dashboard.',
  choose: 'Select a plan to start your subscription',
  trialFirst: `Nothing is charged today. You enter your card on the next page, pay after ${limits.trial_days} days, and can stop before that.`,
  payNext: 'You pay on the next page, which belongs to our payment service.',
  none: 'There is no plan to choose here right now.',
  home: 'Go to the dashboard',
} as const;
