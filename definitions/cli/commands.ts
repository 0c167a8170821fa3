import { asksForHelp, Usage } from './command-line.ts';
import { importCommand } from './import-command.ts';
import { matchCommand } from './match-command.ts';
import { buildCommand, checkCommand, diffCommand, newKeyCommand } from './set-commands.ts';
import { signCommand } from './sign-command.ts';
import { sitesCommand } from './sites-command.ts';
import { type Command, type Outside } from './usage.ts';

const commands = new Map<string, Command>([
  ['match', matchCommand],
  ['check', checkCommand],
  ['build', buildCommand],
  ['new-key', newKeyCommand],
  ['sign', signCommand],
  ['diff', diffCommand],
  ['import', importCommand],
  ['sites', sitesCommand],
]);

/** Of the server, whose database has them. */
const reports = { usage: 'reports [--all]', help: 'What people called wrong, the most often named first.' };

const isHelp = (word: string) => asksForHelp(word) || word === 'help';

const explained = ({ usage, help }: Pick<Command, 'usage' | 'help'>) => `npm run -s definitions -- ${usage}\n    ${help}\n`;

/** Runs what was typed and gives the exit code: 0 done, 1 something is wrong with what was looked at. Throws Usage and Failure. */
export async function runCommand(typed: string[], outside: Outside): Promise<number> {
  const [word, ...args] = typed;
  if (word === undefined || isHelp(word)) {
    const [asked] = args;
    const one = asked === undefined ? undefined : commands.get(asked);
    outside.out.write(one ? explained(one) : [...commands.values(), reports].map(explained).join('\n'));
    return 0;
  }
  const command = commands.get(word);
  if (!command) throw new Usage(`There is no command "${word}". There are: ${[...commands.keys()].join(', ')}; and --help.`);
  if (args.some(asksForHelp)) {
    outside.out.write(explained(command));
    return 0;
  }
  return command.run(args, outside);
}
