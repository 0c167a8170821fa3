import { isSea } from 'node:sea';
import { supervise } from './supervisor.ts';

/** A built executable contains its engine options; as arguments they would reach the agent's own option parser. */
export function agentCommand({ execPath, execArgv, argv }: Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv'>): string[] {
  return isSea() ? [execPath] : [execPath, ...execArgv, ...argv.slice(1, 2)];
}

export async function superviseAgent(program: NodeJS.Process, args: string[], print: (sentence: string) => void): Promise<number> {
  const supervisor = supervise({ command: agentCommand(program), args, env: program.env, print });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) program.on(signal, () => supervisor.signal(signal));
  return supervisor.ended;
}
