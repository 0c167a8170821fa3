// Many agents of one server in a process of their own (`polls-agents.ts`): raw connections, so that thousands fit and their cost stays small.
import { createConnection, type Socket } from 'node:net';
import type { AgentsOrder, AgentsState } from './polls-agents.ts';

interface Agent {
  token: string;
  /** Of its next poll, in seconds. */
  wait: number;
  socket: Socket | null;
  text: string;
  isPolling: boolean;
}

const agents: Agent[] = [];
const state: AgentsState = { agents: 0, polling: 0, rounds: 0, refused: 0, broken: 0 };
let order: AgentsOrder = { kind: 'pause' };

function poll(agent: Agent): void {
  if (order.kind !== 'poll' || agent.isPolling) return;
  const body = JSON.stringify({ ...order.known, protecting: true, wait: agent.wait });
  agent.wait = order.wait;
  state.polling += 1;
  agent.isPolling = true;
  agent.text = '';
  agent.socket ??= connected(agent, order.port);
  agent.socket.write(
    `POST /api/agent/changes HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${agent.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

function connected(agent: Agent, port: number): Socket {
  const socket = createConnection(port, '127.0.0.1');
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (data) => {
    agent.text += data.toString('latin1');
    if (agent.text.endsWith('0\r\n\r\n') || (agent.text.endsWith('}') && agent.text.includes('ontent-length'))) answered(agent);
  });
  socket.on('close', () => {
    agent.socket = null;
    if (!agent.text && order.kind === 'pause') return;
    state.broken += 1;
  });
  return socket;
}

function answered(agent: Agent): void {
  state.polling -= 1;
  agent.isPolling = false;
  const isAnswer = agent.text.startsWith('HTTP/1.1 200') && agent.text.includes('"again_in":0}');
  if (isAnswer) state.rounds += 1;
  else state.refused += 1;
  agent.text = '';
  if (isAnswer) return poll(agent);
  setTimeout(() => poll(agent), 1_000 + Math.random() * 4_000);
}

process.on('message', (next: AgentsOrder) => {
  if (next.kind !== 'state') order = next;
  if (next.kind === 'poll') {
    const { tokens, first_waits, over } = next;
    const idle = next.resume ? [...agents] : [];
    for (const [n, token] of tokens.entries()) {
      const agent: Agent = { token, wait: first_waits[n] ?? next.wait, socket: null, text: '', isPolling: false };
      agents.push(agent);
      idle.push(agent);
    }
    state.agents = agents.length;
    // Spread, so that the agents' phases are.
    for (const [n, agent] of idle.entries()) setTimeout(() => poll(agent), (over * n) / idle.length);
  }
  process.send?.(state);
});
process.once('disconnect', () => process.exit(0));
