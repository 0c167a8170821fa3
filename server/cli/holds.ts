import { listOf } from '@porchlight/contract/language.ts';
import { Failure, Usage } from '@porchlight/definitions/cli/command-line.ts';
import { type LiftRefusal, wantsOf } from '../features/held-requests/operator-holds.ts';
import { passesEnd, type RequestRow, requestEnds, requestState } from '../features/held-requests/request-store.ts';
import { firstName } from '../texts/formatting.ts';
import { maskedAddress } from '../texts/mask-address.ts';
import type { Command, CommandDeps } from './command-deps.ts';
import { readOptions } from './usage.ts';
import { email, isId, timeText } from './values.ts';

export const listHolds: Command = {
  name: 'holds list',
  usage: '[--email ADDRESS]',
  help: `Changes to someone's protection that wait for an answer, and those that were answered: what, whose, until when, who was asked.
    --email ADDRESS   Only those of this account.`,
  read: (args) => {
    const options = readOptions('holds list', args, { email: { type: 'string' } });
    const ownerEmail = options.email === undefined ? null : email('--email', options.email);
    return async (deps) => {
      const account = ownerEmail === null ? null : (await deps.accountOf(ownerEmail)).uuid;
      const rows = await (await deps.holds()).list(account);
      if (!rows.length) return ['No change waits for an answer.'];
      const lines: string[] = [];
      for (const row of rows) lines.push(await describe(row, deps));
      return [...lines, '"holds lift ID" lets one through, and notifies everybody.'];
    };
  },
};

export const liftHold: Command = {
  name: 'holds lift',
  usage: 'ID',
  help: 'Lets one change through: the server makes it within a minute, or its caller within ten if only they can. The account and all its guardians are notified. A no of the last 24 hours wins.',
  read: ([id, ...args]) => {
    if (id === undefined || id.startsWith('-')) throw new Usage('Say which one, as in holds lift ID; holds list shows the ids.');
    readOptions('holds lift', args, {});
    if (!isId(id)) throw new Usage(`"${id}" is no id; holds list shows the ids.`);
    return async (deps) => {
      const result = await (await deps.holds()).lift(id);
      if (result === null) throw new Usage(`There is no change with the id ${id}; holds list shows the ids.`);
      if ('refused' in result) throw new Failure(refusals[result.refused](result.row));
      const guardians = await deps.activeGuardians(result.row.account);
      return [
        `${result.until ? `It can go through until ${timeText(result.until)}, when it is made again` : 'The server does it within a minute'}: ${await wantsText(result.row, deps)}`,
        `${listOf([await accountText(result.row, deps), ...guardians.map(({ name }) => firstName(name))])} will be notified.`,
      ];
    };
  },
};

/** Why nothing was lifted, and what to do instead. */
const refusals: Record<LiftRefusal, (row: RequestRow) => string> = {
  program: () =>
    'A program waits here, and no change. Only somebody of the family can let it run: ask them to answer on their page. Nothing was lifted.',
  no: (row) =>
    `${lastAnswerer(row, 'no')} said no, and a no wins for 24 hours, also over you. Nothing was lifted. Ask ${lastAnswerer(row, 'no')}, or wait until ${timeText(requestEnds(row))}; then the change can be asked for again.`,
  impossible: () => 'It was let through, and then it did not fit any more. Ask the person to make the change again.',
  yes: (row) =>
    `${row.lifted ? 'It was lifted' : `${lastAnswerer(row, 'yes')} said yes`} already: ${row.sealed_call === null ? `the change can go through until ${timeText(requestEnds(row))}. Ask the person to make it again now` : 'the server does it within a minute'}.`,
  done: (row) => `The change was made at ${timeText(row.done ?? row.time)}, so there is nothing to lift.`,
  undone: (row) =>
    `The change was made, and then a no took it back at ${timeText(row.undone ?? row.time)}. A no wins; ask ${lastAnswerer(row, 'no')}.`,
  lapsed: () => 'This has lapsed. Ask the person to make the change again; then holds list shows a new id.',
  free: () => 'Nothing waits on this account any more. Ask the person to make the change again: it goes through at once.',
  password: (row) =>
    `Nobody has answered for so long that the password is enough, until ${timeText(passesEnd(row))}. Ask the person to make the change again.`,
};

const lastAnswerer = ({ answers }: RequestRow, kind: 'yes' | 'no') => answers.findLast(({ answer }) => answer === kind)?.name ?? 'Someone';

const accountText = async ({ account }: RequestRow, { accounts }: CommandDeps) => maskedAddress((await accounts.byUuid(account)).email);

const wantsText = async (row: RequestRow, { accounts }: CommandDeps) => wantsOf(row, firstName((await accounts.byUuid(row.account)).name));

/** `ID  a•••@example.org: Ann wants to allow AnyDesk on Den PC. Made …, until …. Asked: Bob. Nobody has answered.` */
async function describe(row: RequestRow, deps: CommandDeps): Promise<string> {
  const asked = (await deps.activeGuardians(row.account)).map(({ name }) => firstName(name));
  const askedText = asked.length ? `Asked: ${listOf(asked)}.` : 'There is nobody to ask.';
  const times = `Made ${timeText(row.time)}, until ${timeText(requestEnds(row))}.`;
  return `${row.uuid}  ${await accountText(row, deps)}: ${await wantsText(row, deps)} ${times} ${askedText} ${stateText(row, deps.now())}`;
}

function stateText(row: RequestRow, now: Date): string {
  const state = requestState(row, now);
  if (state === 'no') return `${lastAnswerer(row, 'no')} said no.`;
  if (state !== 'yes') return 'Nobody has answered.';
  return row.lifted ? 'You lifted it.' : `${lastAnswerer(row, 'yes')} said yes.`;
}
