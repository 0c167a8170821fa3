import { z } from 'zod';
import { agentLimits } from './agent-limits.ts';
import { endpoints } from './endpoint.ts';
import { serverLimits } from './server-limits.ts';
import { category, certainty, nothing, time, uuid } from './shapes.ts';

/** One program that a disk scan found, and what the agent did with it. */
export const scanItem = z.object({
  kind: z.enum(['programs', 'services', 'start_up', 'downloads']),
  identifier: z.string().min(1).max(300),
  name: z.string().min(1).max(200),
  category,
  certainty,
  /** The file, or what the system calls it. */
  details: z.string().max(2000),
  did: z.enum(['put_away', 'stopped', 'start_up_removed', 'kept_from_running', 'left', 'told']),
  /** It can do no harm any more. */
  blocked: z.boolean(),
});
export type ScanItem = z.infer<typeof scanItem>;

/** Everything that one scan has found, so that people are notified once. */
export const agentScan = z.object({
  /** Made on the device; storing it twice is storing it once. */
  uuid,
  time,
  items: z.array(scanItem).min(1).max(agentLimits.scan_items_max),
});
export type AgentScan = z.infer<typeof agentScan>;

export const scanEndpoint = endpoints({
  'POST /agent/scan': {
    summary: 'What lay on this computer when the agent looked around: one report, one mail to each person',
    access: 'device',
    body: agentScan,
    body_max: agentLimits.scan_items_max * serverLimits.reported_max,
    answer: nothing,
    errors: [],
  },
});
