import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../../call.ts';
import { percentile } from '../open-loop.ts';
import type { PlayedAgent } from './played-agents.ts';

/** A name that the holder gave a device. Times are of `performance.now()`. */
interface Change {
  agent: PlayedAgent;
  number: number;
  /** When the call began that a server answered. */
  began: number;
}

export interface DashboardChanges {
  made: Change[];
  /** Milliseconds until each change was in force; infinite for those that are not. `countsFrom`: a later start of the clock. */
  latencies(countsFrom?: (began: number) => number): number[];
  areInForce(): boolean;
  stop(): Promise<void>;
}

/** In milliseconds. */
const retryAfter = 100;

/** Holders rename devices, each `pauseMs` after the last one, by the server of `route`; a holder whose call has no answer tries again. */
export function dashboardChanges(
  agents: PlayedAgent[],
  { route, pauseMs, began = () => {} }: { route(): string; pauseMs: number; began?(url: string): void },
): DashboardChanges {
  const made: Change[] = [];
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
  const change = async (agent: PlayedAgent, number: number) => {
    const body = { name: `PC, ${number}`, policy: 'strict' as const };
    for (;;) {
      const url = route();
      const beganAt = performance.now();
      began(url);
      const isMade = await call(url, 'POST /web/devices/:uuid', { token: agent.holder.token, params: { uuid: agent.uuid }, body }).then(
        () => true,
        () => false,
      );
      if (isMade) return made.push({ agent, number, began: beganAt });
      await sleep(retryAfter);
    }
  };
  const loop = (async () => {
    for (let number = 1; !stopping.signal.aborted; number++) {
      await change(agents[number % agents.length] as PlayedAgent, number);
      await pause(pauseMs);
    }
  })();
  const inForceAt = ({ agent, number }: Change) =>
    agent.names.find(({ name }) => Number(/, (\d+)$/.exec(name)?.[1] ?? -1) >= number)?.at ?? Number.POSITIVE_INFINITY;
  return {
    made,
    latencies: (countsFrom = (began) => began) => made.map((one) => Math.max(0, inForceAt(one) - countsFrom(one.began))),
    areInForce: () => made.every((one) => inForceAt(one) < Number.POSITIVE_INFINITY),
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

export const sentenceOf = (values: number[]) =>
  `p50 ${percentile(values, 0.5).toFixed(0)} ms, p95 ${percentile(values, 0.95).toFixed(0)} ms, slowest ${percentile(values, 1).toFixed(0)} ms of ${values.length}`;
