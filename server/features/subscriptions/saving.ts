import { limits } from '@porchlight/contract/limits.ts';
import type { Product } from '@porchlight/contract/subscriptions.ts';

/** The page on which plans are chosen says how much a year saves (2.118). Where a plan's own prices say something else, a sentence for whoever set them. */
export function untrueSavings(products: Product[]): string[] {
  return products.flatMap(({ name, prices }) => {
    const each = (interval: 'month' | 'year') => prices.find((price) => price.interval === interval)?.amount ?? 0;
    const [month, year] = [each('month') * 12, each('year')];
    if (month === 0 || year === 0) return [];
    const saves = Math.round((1 - year / month) * 100);
    if (saves === limits.yearly_saving) return [];
    const really = saves > 0 ? `saves ${saves}%` : saves < 0 ? `costs ${-saves}% more than twelve months` : 'saves nothing';
    return [
      `People read “Yearly (save ${limits.yearly_saving}%)”, and a year of ${name} really ${really}. Change one of its prices at Stripe, or yearly_saving in contract/limits.ts.`,
    ];
  });
}
