import { day } from '@porchlight/contract/time.ts';
import { checkInBody } from './agent-info.ts';
import type { TestServer } from './world.ts';

/** Three days later, on each of which the agents have called: their devices are known for long enough to count as somebody else's (P18.2). */
export async function daysOfUse(server: TestServer, agents: { agent: string; home: string }[]): Promise<void> {
  for (let n = 0; n < 3; n++) {
    server.clock.turn(day);
    for (const { agent, home } of agents) {
      const body = checkInBody;
      const { status } = await server.call('POST /agent/check-in', { token: agent, body, headers: { 'x-forwarded-for': home } });
      if (status !== 200) throw new Error(`a check-in was refused (${status})`);
    }
  }
}
