import { type CommandHelp, type CommandTable, chooseCommand } from '@porchlight/definitions/cli/command-line.ts';

/** The page of the operator's commands, from the table that runs them. `npm run check -- --write-docs` writes it. */
export function commandsPage(table: CommandTable<CommandHelp>): string {
  const groups = [...new Set(table.commands.map(groupOf))];
  return `${[pageHead, ...groups.map((group) => section(group, table))].join('\n\n')}\n`;
}

/** The first word of a command, such as `promo` of `promo create`. */
export const groupOf = ({ name }: CommandHelp): string => name.split(' ')[0] ?? '';

function section(group: string, table: CommandTable<CommandHelp>): string {
  const help = chooseCommand(['help'], { ...table, commands: table.commands.filter((command) => groupOf(command) === group) });
  const text = 'help' in help ? help.help.trimEnd() : '';
  const note = notes[group];
  return [`## ${group}`, ...(note ? [note] : []), `\`\`\`text\n${text}\n\`\`\``].join('\n\n');
}

const pageHead = `<!-- Written from server/cli/commands.ts and dev/commands-page.ts by: npm run check -- --write-docs. Edits here are lost. -->

# The operator's commands

\`npm run porchlight -- COMMAND\` does by hand what no screen does, while the server runs or while it is stopped. Run it in the folder of Porchlight, with the
settings of the server:

\`\`\`
npm run porchlight -- help
npm run porchlight -- mail list
\`\`\`

Beside the service of [small.md](small.md) its settings are in \`/etc/porchlight/env\`, and the command runs as the user of the service, as that page shows.

The exit code is 0 after success, 1 after a failure, and 2 for a command that was typed wrong, which has changed nothing.`;

/** What an operator should know before a command, by group. */
export const notes: Record<string, string> = {
  'signup-code': `The first command prints a code for \`/dashboard/register/c/CODE\`. For example:

\`\`\`
npm run porchlight -- signup-code create --devices 3 --uses 20 --external --note "Acme Bank, spring"
\`\`\``,
  promo: `An offer has the address \`/dashboard/register/CODE\`. For example:

\`\`\`
npm run porchlight -- promo create --code SPRING --percent 25 --months 3 --until 2027-04-30
\`\`\``,
  payments: `A key of another Stripe account, or of the other mode, ends nobody's plan: nothing is asked of it, and the log says so. Plans of which Stripe suddenly
reports nothing stay. \`payments status\` shows both, and \`payments believe\` is how you say that it is meant to be so
([decision 25](../decisions/0025-when-stripe-is-not-believed.md)).`,
  holds: `After something was stopped, changes to someone's protection wait for a guardian's answer. \`holds lift\` lets one through, when nobody can answer
and you are sure who is asking: a caller may be the scammer, or have one beside them. The account and all its guardians are notified. You cannot overrule a guardian's no of the
last 24 hours. For example:

\`\`\`
npm run porchlight -- holds list --email ann@example.org
npm run porchlight -- holds lift 3f2b8c1e-5d0a-4c7b-9a51-0e6f4d2b7c98
\`\`\``,
  mail: `\`mail list\` says whether the mail server takes what we send, what waits, and what could not be sent and why. \`mail retry\` sends that again, within 30 days. While
the mail server refuses everyone nothing is given up: all of it waits, and leaves once you have mended it ([decision 22](../decisions/0022-mail-by-urgency.md)).`,
  definitions: `\`definitions status\` says what devices get now and how each list of sites is. \`rotate-signing-key\` makes a new signing key at once and for all devices, when
somebody else may know the old one; \`rotate-root\` does the same for the key above it ([decision 12](../decisions/0012-a-feed-whose-keys-can-be-changed.md) says how devices
follow). Make a backup after \`rotate-root\`. \`npm run -s definitions -- reports\` prints the reports too.`,
  keys: `Policies, links and updates of the program have keys of their own. With \`--stolen\` the old one is invalid at once. For updates run
\`npm run installers -- --new-release-key\` first, where the release key is, then \`keys rotate-release --statement FILE\`, then \`npm run installers\`
([decision 20](../decisions/0020-one-chain-of-keys-and-an-epoch.md)).`,
  epoch: `Needed once after the database was put back by other means than \`restore\`, which does it itself: devices have seen newer versions than the database knows, and
stay with those until then.`,
};
