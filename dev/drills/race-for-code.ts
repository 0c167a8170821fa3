import { setTimeout } from 'node:timers/promises';
import { agentInfo } from '@porchlight/server/testing/agent-info.ts';
import { call } from '../call.ts';
import { registeredPerson } from '../people.ts';
import { startWorld, type World } from '../world.ts';

/** How many agents type the same code at the same moment. */
const racers = 50;
/** How often one that is sent away comes again: as a busy server asks for some seconds each time, for a minute or two. */
const most_tries = 12;

/**
 * One code, fifty agents, `rounds` times, each round with a code of its own: exactly one agent is enrolled, its token is that of the
 * device, and every other one is told that the code was used. Each asks from a place of its own, because from one place the
 * eleventh try within a minute is refused. Gives back what was wrong, one sentence each.
 */
export async function raceForCodeDrill(rounds: number, log: (line: string) => void = () => {}): Promise<string[]> {
  const world = await startWorld({ env: { TRUST_PROXY: 'on' } });
  const wrong: string[] = [];
  try {
    const { token } = await registeredPerson(world);
    for (let round = 1; round <= rounds; round++) {
      const { uuid, login_code } = await call(world.url, 'POST /web/create-device', { token, body: { name: `PC ${round}` } });
      const answers = await Promise.all(Array.from({ length: racers }, (_, i) => enrol(world, login_code, `198.18.${round}.${i}`)));
      const enrolled = answers.filter(({ status }) => status === 200);
      const late = answers.filter(({ status, body }) => status === 410 && body.code === 'code_used');
      if (enrolled.length !== 1 || late.length !== racers - 1) {
        wrong.push(`round ${round}: ${enrolled.length} enrolled, ${late.length} were told that the code was used`);
      }
      const device = await deviceOf(world, enrolled[0]?.body.agent_token ?? '');
      if (device !== uuid) wrong.push(`round ${round}: the token is that of another device`);
      await call(world.url, 'DELETE /web/devices/:uuid', { token, params: { uuid } });
      log(`round ${round} of ${rounds}: ${enrolled.length} of ${answers.length} enrolled`);
    }
  } finally {
    await world.close();
  }
  return wrong;
}

/** An agent that a busy server sends away comes again when it says. */
async function enrol(world: World, code: string, from: string): Promise<{ status: number; body: { code?: string; agent_token?: string } }> {
  for (let tries = 1; ; tries++) {
    const answer = await enrolOnce(world, code, from);
    if (answer.status !== 503 || tries === most_tries) return answer;
    await setTimeout(answer.after * 1000);
  }
}

async function enrolOnce(world: World, code: string, from: string) {
  const answer = await fetch(`${world.url}/api/agent/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ code, info: agentInfo }),
  });
  const after = Number(answer.headers.get('retry-after') ?? 1);
  return { status: answer.status, after, body: (await answer.json()) as { code?: string; agent_token?: string } };
}

/** Whose policy the holder of a token gets. */
async function deviceOf(world: World, token: string): Promise<string> {
  const { policy } = await call(world.url, 'GET /agent/policy', { token, query: {} });
  return (JSON.parse(policy.payload) as { device: string }).device;
}
