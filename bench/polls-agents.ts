import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AgentChanges } from '@porchlight/contract/agent-changes.ts';

export interface AgentsState {
  agents: number;
  /** Agents with a poll that waits. */
  polling: number;
  /** Polls that were answered with nothing new. */
  rounds: number;
  /** Polls that were answered otherwise, and repeated. */
  refused: number;
  /** Connections that the server ended. */
  broken: number;
}

/** `over`: milliseconds in which the polls begin. `first_waits`: seconds, of the first poll of each new agent. */
export interface PollOrder {
  kind: 'poll';
  port: number;
  known: Omit<AgentChanges, 'protecting' | 'wait'>;
  tokens: string[];
  first_waits: number[];
  wait: number;
  over: number;
  /** Whether the earlier agents, which were paused, poll again. */
  resume: boolean;
}

export type AgentsOrder = PollOrder | { kind: 'pause' } | { kind: 'state' };

export interface Agents {
  state(): Promise<AgentsState>;
  /** Adds agents, whose first poll lasts a random share of `wait`: so they are at once as evenly spread as after a long time. */
  add(tokens: string[], wait: number, over: number): Promise<void>;
  /** All that were paused poll, until `milliseconds` have passed and each poll has ended. Returns how many polls were answered. */
  turn(wait: number, milliseconds: number): Promise<number>;
  close(): Promise<void>;
}

/** In seconds: agents wait for that long at least, else their first round is no wait. */
const wait_least = 1;

/** Agents of one server in a process of their own, at most about 19,000, which is what a process may open. */
export function startAgents(port: number, known: PollOrder['known']): Agents {
  const child = fork(fileURLToPath(new URL('./polls-client.ts', import.meta.url)), [], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=1024'],
  });
  const order = (value: AgentsOrder) => ask(child, value);
  const state = () => order({ kind: 'state' });
  const pollAll = async (tokens: string[], wait: number, over: number, resume: boolean) => {
    const first_waits = tokens.map(() => wait_least + Math.floor(Math.random() * wait));
    await order({ kind: 'poll', port, known, tokens, first_waits, wait, over, resume });
  };
  const until = async (is: (now: AgentsState) => boolean, within: number, what: string) => {
    for (const end = performance.now() + within; ; await sleep(50)) {
      const now = await state();
      if (is(now)) return now;
      if (performance.now() > end) throw new Error(`${what}: ${JSON.stringify(now)}`);
    }
  };
  return {
    state,
    async add(tokens, wait, over) {
      await pollAll(tokens, wait, over, false);
      await sleep(over);
      await until(({ agents, polling }) => polling >= agents * 0.999, 120_000, 'The agents do not wait');
    },
    async turn(wait, milliseconds) {
      const before = (await state()).rounds;
      await pollAll([], wait, wait * 1000, true);
      await sleep(milliseconds);
      await order({ kind: 'pause' });
      return (await until(({ polling }) => polling === 0, 30_000, 'The polls do not end')).rounds - before;
    },
    async close() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function ask(child: ChildProcess, order: AgentsOrder): Promise<AgentsState> {
  child.send(order);
  const [state] = (await once(child, 'message')) as [AgentsState];
  return state;
}
