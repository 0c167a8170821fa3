import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type Call, caller, Refused } from '@porchlight/agent/api/call.ts';
import { enrol } from '@porchlight/agent/api/enrol.ts';
import { partFetcher } from '@porchlight/agent/api/feed-parts.ts';
import { startSync } from '@porchlight/agent/api/sync.ts';
import { openStore } from '@porchlight/agent/state/store.ts';
import type { DevicePolicy, ReportedDetection } from '@porchlight/contract/agent.ts';
import type { DefinitionSet } from '@porchlight/definitions/recognition.ts';
import { agentInfo } from '@porchlight/server/testing/agent-info.ts';
import { call } from '../../call.ts';
import type { Person } from '../../people.ts';
import { until } from '../../until.ts';

/** A call that a server answered, refused, or left without an answer (status 0). Times are of `performance.now()`. */
interface Tried {
  key: string;
  url: string;
  status: number;
  began: number;
  ended: number;
}

export interface PlayedAgent {
  uuid: string;
  holder: Person;
  /** The names of the device in the policies that came into force, and when each did. */
  names: { name: string; at: number }[];
  /** Reports as an agent does: the detection waits on the disk until the server has stored it. */
  report(detection: ReportedDetection): Promise<void>;
  /** The ids of the detections that a server has acknowledged, and when it did. */
  acknowledged: Map<string, number>;
  /** Whether a call for changes waits now. */
  waits(): boolean;
  close(): Promise<void>;
}

export interface PlayedAgentsOptions {
  /** The server that answers the next call of this endpoint. */
  route(key: string): string;
  folder: string;
  /** Called when a call begins. */
  began?(key: string, url: string): void;
}

/** Agents without detectors and a window: their synchronization with the server, and what they store, are those of the product. */
export function agentPlayer({ route, folder, began = () => {} }: PlayedAgentsOptions) {
  const tried: Tried[] = [];
  let definitions: DefinitionSet | null = null;
  let count = 0;

  const start = async (holder: Person): Promise<PlayedAgent> => {
    const store = await openStore(join(folder, `agent-${count}`));
    const name = `PC ${count++}`;
    const acknowledged = new Map<string, number>();
    let waiting = 0;
    const routed: Call = async (key, input, options) => {
      const url = route(key);
      const beganAt = performance.now();
      const note = (status: number) => tried.push({ key, url, status, began: beganAt, ended: performance.now() });
      const waits = key === 'POST /agent/changes' ? 1 : 0;
      waiting += waits;
      began(key, url);
      try {
        const answer = await caller(url)(key, input, options);
        if (key === 'POST /agent/detections')
          for (const uuid of (answer as { stored: string[] }).stored) acknowledged.set(uuid, performance.now());
        note(200);
        return answer;
      } catch (err) {
        // The agent itself ends the wait when it has something to ask.
        if (!options?.signal?.aborted) note(err instanceof Refused ? err.status : 0);
        throw err;
      } finally {
        waiting -= waits;
      }
    };
    const { uuid, login_code } = await call(route('POST /agent/enrol'), 'POST /web/create-device', { token: holder.token, body: { name } });
    const info = () => agentInfo;
    const now = () => new Date();
    const server = route('POST /agent/enrol');
    const identity = await enrol({ store, call: routed, server, info, now, beforeLinked: async () => {} }, login_code);
    let policy: DevicePolicy | null = null;
    const names: PlayedAgent['names'] = [];
    const sync = startSync(
      {
        ...{ store, call: routed, info, now, random: Math.random, up: () => performance.now() },
        fetchPart: (part, signal) => partFetcher(route('GET /definitions/parts'))(part, signal),
        known: () => ({ policy, definitions }),
        isKnown: () => true,
        lock: {
          beginRound: async () => ({ change: 0, settled: true, wants_word: false, needs_word: false }),
          policyArrived: async () => {},
        },
        changed: (changes) => {
          definitions = changes.definitions ?? definitions;
          if (!changes.policy) return;
          policy = changes.policy;
          names.push({ name: policy.device_name, at: performance.now() });
        },
        ...{ problems: () => [], countdowns: () => ({ strict_for: 0, leaves_in: null }), asks: () => [], notified: () => {} },
        ...{ protecting: () => true, reportsSleep: () => false, answered: () => {}, log: () => {} },
        ...{ signedNow: () => new Date(0), noteServerTime: () => {} },
        ...{ recognized: async () => {}, unrecognized: async () => false, unlinked: () => {} },
      },
      identity,
    );
    const agent: PlayedAgent = {
      ...{ uuid, holder, names, acknowledged, close: sync.close },
      waits: () => waiting > 0,
      async report(detection) {
        await store.queue(detection);
        sync.report();
      },
    };
    // The first one fetches the definitions, which the others use too.
    await until('the policy and the definitions of an agent', () => names.length > 0 && definitions !== null);
    return agent;
  };
  return { start, tried };
}
