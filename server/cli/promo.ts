import { limits } from '@porchlight/contract/limits.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { Command } from './command-deps.ts';
import type { Promo } from './promos-at-stripe.ts';
import { endInWords } from './signup-code.ts';
import { readOptions } from './usage.ts';
import { codeText, lastMoment, percent, wholeNumber } from './values.ts';

export const createPromo: Command = {
  name: 'promo create',
  usage: '--code TEXT (--percent N | --amount CENTS) (--forever | --months N) [--until DATE]',
  help: `A discount for everyone who registers with its address.
    --code TEXT       The code in the address.
    --until DATE      The last day on which it can be used, as 2027-01-31.`,
  read: (args, now) => {
    const options = readOptions('promo create', args, {
      code: { type: 'string' },
      percent: { type: 'string' },
      amount: { type: 'string' },
      forever: { type: 'boolean' },
      months: { type: 'string' },
      until: { type: 'string' },
    });
    if (options.code === undefined) throw new Usage('A promo needs a code that people type, for example --code SPRING.');
    if ((options.percent === undefined) === (options.amount === undefined)) {
      throw new Usage('Say what the promo takes off with one of the two: --percent 25, or --amount 1000 for $10.00.');
    }
    if ((options.forever === true) === (options.months !== undefined)) {
      throw new Usage('Say how long the promo lasts with one of the two: --forever, or --months 3.');
    }
    const promo = {
      code: promoText(options.code),
      percent_off: options.percent === undefined ? null : percent('--percent', options.percent),
      amount_off: options.amount === undefined ? null : wholeNumber('--amount', options.amount, { min: 1, max: 10_000_000 }),
      duration: options.months === undefined ? ('forever' as const) : ('repeating' as const),
      duration_in_months: options.months === undefined ? null : wholeNumber('--months', options.months, { min: 1, max: 120 }),
      redeem_by: options.until === undefined ? null : lastMoment('--until', options.until, now),
    };
    return async ({ promos, dashboard_url }) => {
      if (!(await (await promos()).create(promo))) throw new Usage(`There is already a promo ${promo.code}; choose another code.`);
      return [
        `The promo ${promo.code} is made: ${describePromo(promo)}.`,
        `Give this address away: ${dashboard_url}/register/${promo.code}`,
      ];
    };
  },
};

export const listPromos: Command = {
  name: 'promo list',
  usage: '',
  help: 'All promos.',
  read: (args) => {
    readOptions('promo list', args, {});
    return async ({ promos }) => {
      const rows = await (await promos()).list();
      return rows.length
        ? rows.map((row) => `${row.code}: ${describePromo(row)}${row.usable ? '' : ' (cannot be used any more)'}`)
        : ['There are no promos yet.'];
    };
  },
};

/** Stripe allows no underscores in promotion codes. */
function promoText(codeArg: string): string {
  const code = codeText('--code', codeArg, limits.promo_code_max);
  if (code.includes('_')) throw new Usage('--code should be letters, digits or dashes, for example --code SPRING-2027.');
  return code;
}

function describePromo(promo: Promo): string {
  const discountText = promo.percent_off === null ? `$${((promo.amount_off ?? 0) / 100).toFixed(2)}` : `${promo.percent_off}%`;
  return `${discountText} off ${lengthInWords(promo)}, ${endInWords(promo.redeem_by)}`;
}

function lengthInWords({ duration, duration_in_months: months }: Promo): string {
  if (duration === 'forever') return 'for the life of the subscription';
  if (duration === 'once') return 'the first payment';
  return `for the first ${months === 1 ? 'month' : `${months} months`}`;
}
