import { type Command, type CommandStreams, program } from './command.ts';
import { type CommandTable, chooseCommand } from './command-line.ts';
import { importCommand } from './import-command.ts';
import { matchCommand } from './match-command.ts';
import { publishCommand } from './publish-command.ts';
import { checkCommand, diffCommand, newKeyCommand } from './set-commands.ts';
import { sitesCommand } from './sites-command.ts';
import { skeletonsCommand } from './skeletons-command.ts';

const table: CommandTable<Command> = {
  program,
  commands: [matchCommand, checkCommand, newKeyCommand, publishCommand, diffCommand, importCommand, sitesCommand, skeletonsCommand],
  // The server runs this command, because its database has the reports.
  elsewhere: [{ name: 'reports', usage: '[--all]', help: 'What people called wrong, the most often named first.' }],
};

/** Runs what was typed. Resolves with the exit code: 0 done, 1 something is wrong with what the command read. Throws `Usage` and `Failure`. */
export async function runCommand(typed: string[], streams: CommandStreams): Promise<number> {
  const choice = chooseCommand(typed, table);
  if ('command' in choice) return choice.command.run(choice.args, streams);
  streams.out.write(choice.help);
  return 0;
}
