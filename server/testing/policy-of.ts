import { type DevicePolicy, devicePolicy } from '@porchlight/contract/agent.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import type { TestServer } from './world.ts';

/** The policy that a device gets, and the version of the definitions. With `known…` and `wait` in `query`, of a long poll. */
export async function policyOf(server: TestServer, agent: string, query = ''): Promise<DevicePolicy & { definitions: number }> {
  const { body } = await server.call(`GET /agent/policy${query}`, { token: agent });
  const { keys } = (await server.call('GET /agent/server')).body;
  const policy = openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy);
  if (!policy) throw new Error('the policy is not signed by the server’s key');
  return { ...policy, definitions: Number(body.definitions_version) };
}
