import type { ServerResponse } from 'node:http';
import type { AgentChanges } from '@porchlight/contract/agent-changes.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { LongPolls, Waiter } from './long-polls.ts';
import type { PollBegun } from './poll-backend.ts';

/** An agent's poll that waits for a change (P14.5). */
export interface OpenPoll {
  response: ServerResponse;
  /** What the agent knows, and how many seconds it wants to wait. */
  known: AgentChanges;
  begun: PollBegun;
  /** `LongPolls.moment` from before the device was read. */
  since: number;
  request_id: string;
}

export interface OpenPolls {
  /** Answers now if something has changed, else when it does. Never rejects. */
  open(poll: OpenPoll): void;
  close(): void;
}

export interface OpenPollDeps {
  longPolls: LongPolls;
  /** Headers of every answer: name, value, name, value … */
  headers: string[];
  random: () => number;
  /** Called when a poll begins to wait, and when that of a device has ended. */
  began: () => void;
  ended: (device: string) => void;
  /** Milliseconds between bytes; a proxy cuts polls that are silent for longer. */
  byte_interval?: number;
}

const ofAnswer = [
  ...['content-type', 'application/json; charset=utf-8'],
  // Proxies that buffer answers would pass on no byte before the end of the poll.
  ...['cache-control', 'no-store, no-transform', 'x-accel-buffering', 'no'],
];
/** JSON allows white space before the value. */
const byte = '\n';
/** In milliseconds: one timer for all polls, so the bytes of many are written together. */
const tick = 1_000;
/** In milliseconds: agents of a server that stops return this far apart on average. */
const return_spacing = 1;

/** All that the server has of a waiting poll beside its connection. */
interface WaitingPoll extends Waiter {
  request_id: string;
  next_byte: number;
}

export function newOpenPolls({
  longPolls,
  headers,
  random,
  began,
  ended,
  byte_interval = serverLimits.poll_byte_seconds * 1000,
}: OpenPollDeps): OpenPolls {
  /** In the order of their next bytes, since each waits equally long. */
  const waiting = new Map<ServerResponse, WaitingPoll>();
  const ofEvery = [...headers, ...ofAnswer, 'x-request-id'];
  let spread: number | null = null;

  const begin = (response: ServerResponse, request_id: string, length?: number) => {
    const all = [...ofEvery, request_id];
    if (length !== undefined) all.push('content-length', String(length));
    response.writeHead(200, all);
  };
  const answer = (response: ServerResponse, request_id: string, changed: boolean) => {
    if (response.destroyed) return;
    const again_in = changed || spread === null ? 0 : Math.floor(random() * spread);
    const body = `{"changed":${changed},"again_in":${again_in}}`;
    if (!response.headersSent) begin(response, request_id, body.length);
    response.end(body);
  };
  const writeBytes = () => {
    const now = longPolls.moment();
    for (const [response, poll] of waiting) {
      if (poll.next_byte > now) return;
      poll.next_byte = now + byte_interval;
      waiting.delete(response);
      waiting.set(response, poll);
      if (!response.headersSent) begin(response, poll.request_id);
      response.write(byte);
    }
  };
  /** One listener for all polls. */
  function stopWaiting(this: ServerResponse) {
    const poll = waiting.get(this);
    if (poll) longPolls.stop(poll);
  }
  let timer: NodeJS.Timeout | undefined;

  const hasChanged = ({ known, begun: { device, policy_version, newest } }: OpenPoll) =>
    policy_version > known.known ||
    newest.epoch > known.known_epoch ||
    (newest.version > known.known_definitions && longPolls.isItsTurn(device));

  return {
    open(poll) {
      const { response, known, begun, since, request_id } = poll;
      const { device } = begun;
      // Its agent has gone meanwhile, and no event will end its wait.
      if (response.destroyed) return;
      if (hasChanged(poll)) return answer(response, request_id, true);
      const end = (changed: boolean) => {
        waiting.delete(response);
        ended(device);
        answer(response, request_id, changed);
      };
      const waiter: WaitingPoll = {
        ...{ device, known_version: known.known, timer: null, finish: end },
        ...{ request_id, next_byte: longPolls.moment() + byte_interval },
      };
      if (!longPolls.add(waiter, Math.min(known.wait, begun.wait_max), since)) return end(true);
      began();
      timer ??= setInterval(writeBytes, Math.min(tick, byte_interval)).unref();
      waiting.set(response, waiter);
      response.on('close', stopWaiting);
    },
    close() {
      spread = Math.min(serverLimits.return_spread_max, longPolls.count() * return_spacing);
      clearInterval(timer);
      longPolls.close();
    },
  };
}
