import { isSea } from 'node:sea';
import { supervise } from './supervisor.ts';

/** What starts this program. What the engine of an executable is told lies in it, and would be taken for what the agent is told. */
export function agentCommand({ execPath, execArgv, argv }: Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv'>): string[] {
  return isSea() ? [execPath] : [execPath, ...execArgv, ...argv.slice(1, 2)];
}

/** Looks after an agent that is started with these arguments, and ends with it: its exit code. */
export async function superviseAgent(program: NodeJS.Process, args: string[], print: (sentence: string) => void): Promise<number> {
  const supervisor = supervise({ command: agentCommand(program), args, env: program.env, print });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) program.on(signal, () => supervisor.signal(signal));
  return supervisor.over;
}
