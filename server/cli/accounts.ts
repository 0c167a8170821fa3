import { counted } from '@porchlight/contract/language.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { ListedAccount } from '../features/accounts/directory.ts';
import { maskedAddress } from '../texts/mask-address.ts';
import { type Command, type CommandDeps, devices, giftInWords } from './command-deps.ts';
import { readOptions } from './usage.ts';
import { dayOf, email, isId, wholeNumber } from './values.ts';

const pageLength = 50;
const foundMax = 50;

export const listAccounts: Command = {
  name: 'accounts list',
  usage: '[--limit N] [--after EMAIL]',
  help: `The accounts by address, which is masked: since when, confirmed, plan or gift, computers and guardians.
    --limit N         So many, ${pageLength} by default and 1000 at most.
    --after EMAIL     Those after this address, or after the account with this id.`,
  read: (args) => {
    const options = readOptions('accounts list', args, { limit: { type: 'string' }, after: { type: 'string' } });
    const limit = options.limit === undefined ? pageLength : wholeNumber('--limit', options.limit, { min: 1, max: 1000 });
    const { after } = options;
    const cursor = after === undefined || isId(after) ? after : email('--after', after);
    return async (deps) => {
      const rows = await deps.directory.page(await addressBefore(deps, cursor), limit + 1);
      if (!rows.length) return [cursor === undefined ? 'There are no accounts.' : 'There are no accounts after this one.'];
      const page = rows.slice(0, limit);
      const lines: string[] = [];
      for (const row of page) lines.push(`${row.uuid}  ${maskedAddress(row.email)} ${await describe(row, deps)}`);
      return rows.length > limit ? [...lines, `There are more: accounts list --after ${page.at(-1)?.uuid}`] : lines;
    };
  },
};

/** The address of a cursor, which is an id where the list has masked the address. */
async function addressBefore({ directory }: CommandDeps, cursor: string | undefined): Promise<string | null> {
  if (cursor === undefined) return null;
  if (!isId(cursor)) return cursor;
  const address = await directory.addressOf(cursor);
  if (address === null) throw new Usage(`There is no account with the id ${cursor} any more; say --after with an address.`);
  return address;
}

export const findAccounts: Command = {
  name: 'accounts find',
  usage: 'TEXT',
  help: `Accounts by an address or a part of it, a part of a name or of a computer's name, a phone number such as +12025550123, or an id.`,
  read: ([text, ...args]) => {
    if (text === undefined || text.startsWith('-')) throw new Usage('Say what to find, as in accounts find ann@example.org.');
    readOptions('accounts find', args, {});
    const wanted = text.trim();
    if (wanted.length < 2) throw new Usage('Say at least two characters of what to find.');
    return async (deps) => {
      const rows = await find(deps, wanted);
      if (!rows.length) return [`There is no account with "${wanted}" in its address, its name or the name of a computer.`];
      const lines: string[] = [];
      for (const row of rows.slice(0, foundMax)) {
        const names = row.device_names.length ? `: ${row.device_names.join(', ')}` : '';
        const phone = row.phone_number === null ? '' : `, ${row.phone_number}`;
        lines.push(`${row.uuid}  ${row.email}, ${row.name}${phone} ${await describe(row, deps)}${names}`);
      }
      return rows.length > foundMax ? [...lines, `There are more than ${foundMax}; say more of it.`] : lines;
    };
  },
};

function find({ directory }: CommandDeps, text: string): Promise<ListedAccount[]> {
  const max = foundMax + 1;
  if (isId(text)) return directory.withId(text, max);
  return /^\+\d{5,15}$/.test(text) ? directory.withPhone(text, max) : directory.withText(text, max);
}

/** `(confirmed, since 2026-11-21, no plan): 2 guardians, 1 device` */
async function describe(row: ListedAccount, { planOf }: CommandDeps): Promise<string> {
  const confirmed = row.email_verified ? 'confirmed' : 'not confirmed';
  const guardians = counted(row.guardians, 'guardian');
  return `(${confirmed}, since ${dayOf(row.created)}, ${planText(await planOf(row.uuid))}), ${guardians}, ${devices(row.device_names.length)}`;
}

function planText(plan: Awaited<ReturnType<CommandDeps['planOf']>>): string {
  const paid = plan.subscribed ? [`${plan.plan} until ${plan.expires?.slice(0, 10)}${plan.renews ? ', renews' : ''}`] : [];
  const isGift = plan.external || plan.lifetime || (!plan.subscribed && plan.device_limit > 0);
  return [...paid, ...(isGift ? [`a gift of ${giftInWords(plan)}`] : [])].join(' and ') || 'no plan';
}
