import { randomUUID } from 'node:crypto';
import { agentInfo } from './agent-info.ts';
import { daysOfUse } from './days-of-use.ts';
import { fakeAddress, type TestServer } from './world.ts';

/** A computer that the holder's mother uses in the network of `home`, for long enough to count as hers (P18.2). */
export async function mumsComputer(server: TestServer, token: string, home: string): Promise<{ uuid: string; agent: string }> {
  const person = { name: 'Mum', phone_number: '+12025550199', is_holder: false };
  const headers = { 'x-forwarded-for': fakeAddress() };
  const created = await server.call('POST /web/create-device', { token, body: { name: 'Mum’s PC', policy: null, person }, headers });
  const { uuid, login_code } = created.body as unknown as { uuid: string; login_code: string };
  const info = { ...agentInfo, name: 'mum-pc', platform: 'windows' };
  const enrolled = await server.call('POST /agent/enrol', { body: { code: login_code, info, enrol_id: randomUUID() }, headers });
  const agent = String(enrolled.body.agent_token);
  await daysOfUse(server, [{ agent, home }]);
  return { uuid, agent };
}
