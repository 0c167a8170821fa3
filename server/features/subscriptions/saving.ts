import { limits } from '@porchlight/contract/limits.ts';
import type { Product } from '@porchlight/contract/subscriptions.ts';

const savingWords = (name: string, actualSaving: string) =>
  `People read “Yearly (save ${limits.yearly_saving}%)”, and a year of ${name} really ${actualSaving}. Change one of its prices at Stripe, or yearly_saving in contract/limits.ts.`;

/** One sentence for each plan whose prices do not match the advertised yearly saving (2.118). */
export function wrongSavings(products: Product[]): string[] {
  return products.flatMap(({ name, prices }) => {
    const priceOf = (interval: 'month' | 'year') => prices.find((price) => price.interval === interval)?.amount ?? 0;
    const [month, year] = [priceOf('month') * 12, priceOf('year')];
    if (month === 0 || year === 0) return [];
    const savedPercent = Math.round((1 - year / month) * 100);
    if (savedPercent === limits.yearly_saving) return [];
    const actualSaving =
      savedPercent > 0 ? `saves ${savedPercent}%` : savedPercent < 0 ? `costs ${-savedPercent}% more than twelve months` : 'saves nothing';
    return [savingWords(name, actualSaving)];
  });
}
