import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import { newSignupCode } from '../features/accounts/signup-codes.ts';
import { type Command, giftInWords } from './parts.ts';
import { readOptions } from './usage.ts';
import { codeText, dayOf, lastMoment, wholeNumber, words } from './values.ts';

export const createSignupCode: Command = (args, now) => {
  const typed = readOptions('signup-code create', args, {
    code: { type: 'string' },
    devices: { type: 'string' },
    uses: { type: 'string' },
    expires: { type: 'string' },
    external: { type: 'boolean' },
    lifetime: { type: 'boolean' },
    note: { type: 'string' },
  });
  const code = {
    code: typed.code === undefined ? newSignupCode() : codeText('--code', typed.code, serverLimits.signup_code_max),
    device_limit:
      typed.devices === undefined ? serverLimits.signup_code_devices : wholeNumber('--devices', typed.devices, { min: 0, max: 10_000 }),
    max_uses: typed.uses === undefined ? 1 : wholeNumber('--uses', typed.uses, { min: 1, max: 1_000_000 }),
    expires: typed.expires === undefined ? null : lastMoment('--expires', typed.expires, now),
    external: typed.external ?? false,
    lifetime: typed.lifetime ?? false,
    note: typed.note === undefined ? '' : words('--note', typed.note, 200),
  };
  return async ({ signupCodes, dashboard_url }) => {
    if (!(await signupCodes.create(code))) throw new Usage(`There is already a sign-up code ${code.code}; choose another text.`);
    return [
      `The sign-up code ${code.code} is made: ${giftInWords(code)}, ${usesInWords(code.max_uses)}, ${endInWords(code.expires)}.`,
      `Give this address away: ${dashboard_url}/register/c/${code.code}`,
    ];
  };
};

export const listSignupCodes: Command = (args) => {
  readOptions('signup-code list', args, {});
  return async ({ signupCodes }) => {
    const rows = await signupCodes.list();
    if (!rows.length) return ['There are no sign-up codes yet.'];
    return rows.map((row) => {
      const note = row.note && ` (${row.note})`;
      return `${row.code}: ${giftInWords(row)}, used ${row.uses} of ${row.max_uses}, ${endInWords(row.expires)}${note}`;
    });
  };
};

const usesInWords = (n: number) => (n === 1 ? 'for one account' : `for ${n} accounts`);

export const endInWords = (end: Date | null) => (end ? `until the end of ${dayOf(end)} (UTC)` : 'without an end');
