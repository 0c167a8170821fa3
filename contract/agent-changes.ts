import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { serverLimits } from './server-limits.ts';

const version = z.number().int().min(0).max(2_147_483_647);

export const agentChangesEndpoint = endpoints({
  'POST /agent/changes': {
    summary:
      'Waits up to `wait` seconds until the policy or the definitions of this device may have changed; meanwhile the device counts as connected (P14.5). Line feeds may come before the answer',
    access: 'device',
    /** The versions that the agent knows, and whether protection is up. */
    body: z.object({
      known: version,
      known_epoch: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
      known_definitions: version,
      protecting: z.boolean(),
      wait: z.number().int().min(0).max(serverLimits.poll_seconds),
    }),
    /** `changed`: ask for the policy. `again_in`: milliseconds until the next call, so that agents do not all return at once. */
    answer: z.object({ changed: z.boolean(), again_in: z.number().int().min(0).max(serverLimits.return_spread_max) }),
    errors: [],
  },
});
export type AgentChanges = z.output<(typeof agentChangesEndpoint)['POST /agent/changes']['body']>;
