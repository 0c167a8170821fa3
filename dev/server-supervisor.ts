import { type Child, endReason } from './child.ts';

export interface SupervisorDeps {
  start(): Server;
  logFile: string;
  /** Whether the server has ever been ready. */
  wasReady(): boolean;
  isStopping(): boolean;
  print(sentence: string): void;
  giveUp(sentence: string): void;
  /** In milliseconds. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

type Server = Pick<Child, 'ended' | 'output'>;

/** An end sooner than this (milliseconds) after the start is a fast one. */
const fast = 60_000;
const fastEndsMax = 5;
const pauseMs = 250;

/**
 * Starts the server again whenever it ends by itself: after an error that no part handled, or because something ended it. Gives up after
 * five fast ends in a row, and at once if the server was never ready, because then a setting is wrong.
 */
export async function superviseServer(first: Server, deps: SupervisorDeps): Promise<void> {
  const { start, logFile, wasReady, isStopping, print, giveUp, now, sleep } = deps;
  let server = first;
  for (let fastEnds = 0; ; ) {
    const startedAt = now();
    const exit = await server.ended;
    if (isStopping()) return;
    const reason = endReason(server.output(), exit);
    if (!wasReady()) return giveUp(`${reason}\nThe server stopped; its log is ${logFile}.`);
    fastEnds = now() - startedAt < fast ? fastEnds + 1 : 0;
    if (fastEnds >= fastEndsMax) return giveUp(`${reason}\nThe server stopped ${fastEnds} times in a row; its log is ${logFile}.`);
    print(`The server stopped, and is started again; its log is ${logFile}. ${reason}`);
    await sleep(pauseMs * 2 ** fastEnds);
    if (isStopping()) return;
    server = start();
  }
}
