import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { agentInfo } from '@porchlight/server/testing/agent-info.ts';
import { call } from '../call.ts';
import { registeredPerson } from '../people.ts';
import { startWorld, type World } from '../world.ts';

const agentsPerRound = 50;
/** A busy server asks an agent to wait some seconds, for a minute or two. */
const most_tries = 12;

/**
 * In each round, exactly one agent may be enrolled with the device's token, and every other agent must get the error for a used code. Each
 * uses its own address, because the eleventh attempt from one address within a minute is refused. Returns problems, a sentence each.
 */
export async function raceForCodeDrill(rounds: number, log: (line: string) => void = () => {}): Promise<string[]> {
  const world = await startWorld({ env: { TRUST_PROXY: 'on' } });
  const problems: string[] = [];
  try {
    const { token } = await registeredPerson(world);
    for (let round = 1; round <= rounds; round++) {
      const { uuid, login_code } = await call(world.url, 'POST /web/create-device', { token, body: { name: `PC ${round}` } });
      const answers = await Promise.all(Array.from({ length: agentsPerRound }, (_, i) => enrol(world, login_code, `198.18.${round}.${i}`)));
      const enrolled = answers.filter(({ status }) => status === 200);
      const lateAnswers = answers.filter(({ status, body }) => status === 410 && body.code === 'code_used');
      if (enrolled.length !== 1 || lateAnswers.length !== agentsPerRound - 1) {
        problems.push(`round ${round}: ${enrolled.length} enrolled, ${lateAnswers.length} were told that the code was used`);
      }
      const device = await deviceOf(world, enrolled[0]?.body.agent_token ?? '');
      if (device !== uuid) problems.push(`round ${round}: the token is that of another device`);
      await call(world.url, 'DELETE /web/devices/:uuid', { token, params: { uuid } });
      log(`round ${round} of ${rounds}: ${enrolled.length} of ${answers.length} enrolled`);
    }
  } finally {
    await world.close();
  }
  return problems;
}

async function enrol(
  world: World,
  code: string,
  address: string,
): Promise<{ status: number; body: { code?: string; agent_token?: string } }> {
  for (let tries = 1; ; tries++) {
    const answer = await enrolOnce(world, code, address);
    if (answer.status !== 503 || tries === most_tries) return answer;
    await setTimeout(answer.after * 1000);
  }
}

async function enrolOnce(world: World, code: string, address: string) {
  const answer = await fetch(`${world.url}/api/agent/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ code, info: agentInfo, enrol_id: randomUUID() }),
  });
  const retryAfter = Number(answer.headers.get('retry-after') ?? 1);
  return { status: answer.status, after: retryAfter, body: (await answer.json()) as { code?: string; agent_token?: string } };
}

async function deviceOf(world: World, token: string): Promise<string> {
  const { policy } = await call(world.url, 'GET /agent/policy', { token });
  return (JSON.parse(policy.payload) as { device: string }).device;
}
