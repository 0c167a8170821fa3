import { isSea } from 'node:sea';
import { supervise } from './supervisor.ts';

/** The command that starts this program. An executable has its engine options built in; on the command line they would reach the agent. */
export function agentCommand({ execPath, execArgv, argv }: Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv'>): string[] {
  return isSea() ? [execPath] : [execPath, ...execArgv, ...argv.slice(1, 2)];
}

/** Supervises an agent with these arguments and answers its exit code. */
export async function superviseAgent(program: NodeJS.Process, args: string[], print: (sentence: string) => void): Promise<number> {
  const supervisor = supervise({ command: agentCommand(program), args, env: program.env, print });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) program.on(signal, () => supervisor.signal(signal));
  return supervisor.over;
}
