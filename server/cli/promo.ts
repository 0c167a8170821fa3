import { limits } from '@porchlight/contract/limits.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { Command } from './parts.ts';
import type { Promo } from './promos-at-stripe.ts';
import { endInWords } from './signup-code.ts';
import { readOptions } from './usage.ts';
import { codeText, lastMoment, percent, wholeNumber } from './values.ts';

export const createPromo: Command = (args, now) => {
  const typed = readOptions('promo create', args, {
    code: { type: 'string' },
    percent: { type: 'string' },
    amount: { type: 'string' },
    forever: { type: 'boolean' },
    months: { type: 'string' },
    until: { type: 'string' },
  });
  if (typed.code === undefined) throw new Usage('A promo needs a code that people type, for example --code SPRING.');
  if ((typed.percent === undefined) === (typed.amount === undefined)) {
    throw new Usage('Say what the promo takes off with one of the two: --percent 25, or --amount 1000 for $10.00.');
  }
  if ((typed.forever === true) === (typed.months !== undefined)) {
    throw new Usage('Say how long the promo lasts with one of the two: --forever, or --months 3.');
  }
  const promo = {
    code: promoText(typed.code),
    percent_off: typed.percent === undefined ? null : percent('--percent', typed.percent),
    amount_off: typed.amount === undefined ? null : wholeNumber('--amount', typed.amount, { min: 1, max: 10_000_000 }),
    duration: typed.months === undefined ? ('forever' as const) : ('repeating' as const),
    duration_in_months: typed.months === undefined ? null : wholeNumber('--months', typed.months, { min: 1, max: 120 }),
    redeem_by: typed.until === undefined ? null : lastMoment('--until', typed.until, now),
  };
  return async ({ promos, dashboard_url }) => {
    if (!(await (await promos()).create(promo))) throw new Usage(`There is already a promo ${promo.code}; choose another code.`);
    return [`The promo ${promo.code} is made: ${inWords(promo)}.`, `Give this address away: ${dashboard_url}/register/${promo.code}`];
  };
};

export const listPromos: Command = (args) => {
  readOptions('promo list', args, {});
  return async ({ promos }) => {
    const rows = await (await promos()).list();
    return rows.length
      ? rows.map((row) => `${row.code}: ${inWords(row)}${row.usable ? '' : ' (cannot be used any more)'}`)
      : ['There are no promos yet.'];
  };
};

/** Stripe's codes have no underscores. */
function promoText(typed: string): string {
  const code = codeText('--code', typed, limits.promo_code_max);
  if (code.includes('_')) throw new Usage('--code should be letters, digits or dashes, for example --code SPRING-2027.');
  return code;
}

function inWords(promo: Promo): string {
  const off = promo.percent_off === null ? `$${((promo.amount_off ?? 0) / 100).toFixed(2)}` : `${promo.percent_off}%`;
  return `${off} off ${lengthInWords(promo)}, ${endInWords(promo.redeem_by)}`;
}

function lengthInWords({ duration, duration_in_months: months }: Promo): string {
  if (duration === 'forever') return 'for the life of the subscription';
  if (duration === 'once') return 'the first payment';
  return `for the first ${months === 1 ? 'month' : `${months} months`}`;
}
