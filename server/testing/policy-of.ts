import { type DevicePolicy, devicePolicy } from '@porchlight/contract/agent.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { expect } from 'vitest';
import type { TestServer } from './world.ts';

type PolicyOfDevice = DevicePolicy & { definitions: number };

/** The policy that a device gets, with its signature verified, and the version of the definitions. */
export async function policyOf(server: TestServer, agent: string): Promise<PolicyOfDevice> {
  const { body } = await server.call('GET /agent/policy', { token: agent });
  const { keys } = (await server.call('GET /agent/server')).body;
  const policy = openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy);
  if (!policy) throw new Error('the policy is not signed by the server’s key');
  return { ...policy, definitions: Number(body.definitions_version) };
}

/** An agent's long poll: waits up to `wait` seconds for a newer policy or newer definitions than the agent knows. */
export const pollOf = (
  server: TestServer,
  agent: string,
  { version, definitions, epoch }: Pick<PolicyOfDevice, 'version' | 'definitions' | 'epoch'>,
  wait: number = serverLimits.poll_seconds,
  headers: Record<string, string> = {},
) => {
  const body = { known: version, known_epoch: epoch, known_definitions: definitions, protecting: true, wait };
  return server.call('POST /agent/changes', { token: agent, body, headers });
};

/** The next policy, as an agent gets it: once its long poll reports a change. A late event may end a poll without one; then it polls again. */
export async function nextPolicyOf(server: TestServer, agent: string, known: PolicyOfDevice): Promise<PolicyOfDevice> {
  for (;;) {
    expect((await pollOf(server, agent, known)).body).toMatchObject({ changed: true });
    const policy = await policyOf(server, agent);
    if (policy.version > known.version || policy.epoch > known.epoch || policy.definitions > known.definitions) return policy;
  }
}
