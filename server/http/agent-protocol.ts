import type { IncomingHttpHeaders } from 'node:http';
import { agent_protocol, agent_protocol_header, protocolRefusal } from '@porchlight/contract/agent-protocol.ts';
import { fail } from '../lib/errors.ts';

/** Refuses the call of an agent of another protocol, with what to do. */
export type RequireProtocol = (key: string, headers: IncomingHttpHeaders) => void;

/** In milliseconds: all agents of another protocol are one line, because after an update of the server they may be thousands. */
const log_interval = 60_000;

export function protocolGate(log: { warn(o: object, m: string): void }): RequireProtocol {
  let logged = Number.NEGATIVE_INFINITY;
  return (key, headers) => {
    const sent = headers[agent_protocol_header];
    const refusal = protocolRefusal(key, sent);
    if (!refusal) return;
    if (performance.now() - logged >= log_interval) {
      logged = performance.now();
      log.warn({ ofAgent: Number(sent), ofServer: agent_protocol }, `agents are refused: ${refusal.replace('_', ' ')}`);
    }
    fail(refusal);
  };
}
