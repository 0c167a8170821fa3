import type { ServerResponse } from 'node:http';
import type { AgentChanges } from '@porchlight/contract/agent-changes.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { LongPolls } from '../long-polls.ts';
import type { PollBegun } from './poll-backend.ts';

/** An agent's poll that waits for a change (P14.5). */
export interface OpenPoll {
  response: ServerResponse;
  /** What the agent knows, and how many seconds it wants to wait. */
  known: AgentChanges;
  begun: PollBegun;
  /** `LongPolls.moment` of before the device was read. */
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
  /** Called when the poll of a device has ended. */
  ended: (device: string) => void;
  /** Milliseconds between bytes; a proxy cuts polls that are silent for longer. */
  byte_interval?: number;
}

const ofAnswer = [
  ...['content-type', 'application/json; charset=utf-8'],
  // Some proxies keep an answer until its end, and so the bytes that show them that the poll is not dead.
  ...['cache-control', 'no-store, no-transform', 'x-accel-buffering', 'no'],
];
/** JSON allows white space before the value. */
const byte = '\n';
/** In milliseconds: one timer for all polls, so the bytes of many are written together. */
const tick = 1_000;
/** In milliseconds: agents of a server that stops return this far apart on average. */
const return_spacing = 1;

export function newOpenPolls({
  longPolls,
  headers,
  random,
  ended,
  byte_interval = serverLimits.poll_byte_seconds * 1000,
}: OpenPollDeps): OpenPolls {
  /** When each poll gets its next byte, in order, since each waits equally long. */
  const nextBytes = new Map<OpenPoll, number>();
  let spread: number | null = null;

  const begin = ({ response, request_id }: OpenPoll, length?: number) =>
    response.writeHead(200, [
      ...headers,
      ...ofAnswer,
      ...['x-request-id', request_id],
      ...(length === undefined ? [] : ['content-length', String(length)]),
    ]);
  const answer = (poll: OpenPoll, changed: boolean) => {
    if (poll.response.destroyed) return;
    const again_in = changed || spread === null ? 0 : Math.floor(random() * spread);
    const body = JSON.stringify({ changed, again_in });
    if (!poll.response.headersSent) begin(poll, body.length);
    poll.response.end(body);
  };
  const writeBytes = () => {
    const now = longPolls.moment();
    for (const [poll, due] of nextBytes) {
      if (due > now) return;
      nextBytes.delete(poll);
      nextBytes.set(poll, now + byte_interval);
      if (!poll.response.headersSent) begin(poll);
      poll.response.write(byte);
    }
  };
  const timer = setInterval(writeBytes, Math.min(tick, byte_interval)).unref();

  const hasChanged = ({ known, begun: { device, policy_version, newest } }: OpenPoll) =>
    policy_version > known.known ||
    newest.epoch > known.known_epoch ||
    (newest.version > known.known_definitions && longPolls.isItsTurn(device));

  return {
    open(poll) {
      const { response, known, begun, since } = poll;
      if (hasChanged(poll)) return answer(poll, true);
      const { changed, stop } = longPolls.wait(begun.device, Math.min(known.wait, begun.wait_max), known.known, since);
      nextBytes.set(poll, longPolls.moment() + byte_interval);
      response.once('close', stop);
      void changed.then((isChanged) => {
        nextBytes.delete(poll);
        ended(begun.device);
        response.off('close', stop);
        answer(poll, isChanged);
      });
    },
    close() {
      spread = Math.min(serverLimits.return_spread_max, longPolls.count() * return_spacing);
      clearInterval(timer);
      longPolls.close();
    },
  };
}
