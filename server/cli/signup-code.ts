import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import { newSignupCode } from '../features/accounts/signup-codes.ts';
import { type Command, giftInWords } from './command-deps.ts';
import { readOptions } from './usage.ts';
import { codeText, dayOf, lastMoment, plainText, wholeNumber } from './values.ts';

export const createSignupCode: Command = {
  name: 'signup-code create',
  usage: '[--code TEXT] [--devices N] [--uses N] [--expires DATE] [--external] [--lifetime] [--note TEXT]',
  help: `A code to register with, which gives a plan.
    --code TEXT       The code; without it one is made up.
    --devices N       How many devices may be protected (5).
    --uses N          How many accounts it opens (1).
    --expires DATE    The last day on which it works, as 2027-01-31.
    --external        The plan is managed by someone else.
    --lifetime        The plan never ends.
    --note TEXT       For yourself: to whom it was given.`,
  read: (args, now) => {
    const options = readOptions('signup-code create', args, {
      code: { type: 'string' },
      devices: { type: 'string' },
      uses: { type: 'string' },
      expires: { type: 'string' },
      external: { type: 'boolean' },
      lifetime: { type: 'boolean' },
      note: { type: 'string' },
    });
    const code = {
      code: options.code === undefined ? newSignupCode() : codeText('--code', options.code, serverLimits.signup_code_max),
      device_limit:
        options.devices === undefined
          ? serverLimits.signup_code_devices
          : wholeNumber('--devices', options.devices, { min: 0, max: 10_000 }),
      max_uses: options.uses === undefined ? 1 : wholeNumber('--uses', options.uses, { min: 1, max: 1_000_000 }),
      expires: options.expires === undefined ? null : lastMoment('--expires', options.expires, now),
      external: options.external ?? false,
      lifetime: options.lifetime ?? false,
      note: options.note === undefined ? '' : plainText('--note', options.note, 200),
    };
    return async ({ signupCodes, dashboard_url }) => {
      if (!(await signupCodes.create(code))) throw new Usage(`There is already a sign-up code ${code.code}; choose another text.`);
      return [
        `The sign-up code ${code.code} is made: ${giftInWords(code)}, ${usesInWords(code.max_uses)}, ${endInWords(code.expires)}.`,
        `Give this address away: ${dashboard_url}/register/c/${code.code}`,
      ];
    };
  },
};

export const listSignupCodes: Command = {
  name: 'signup-code list',
  usage: '',
  help: 'All codes, and how often each was used.',
  read: (args) => {
    readOptions('signup-code list', args, {});
    return async ({ signupCodes }) => {
      const rows = await signupCodes.list();
      if (!rows.length) return ['There are no sign-up codes yet.'];
      return rows.map((row) => {
        const note = row.note && ` (${row.note})`;
        return `${row.code}: ${giftInWords(row)}, used ${row.uses} of ${row.max_uses}, ${endInWords(row.expires)}${note}`;
      });
    };
  },
};

const usesInWords = (n: number) => (n === 1 ? 'for one account' : `for ${n} accounts`);

export const endInWords = (end: Date | null) => (end ? `until the end of ${dayOf(end)} (UTC)` : 'without an end');
