import { z } from 'zod';
import { agentLimits } from './agent-limits.ts';
import { endpoints } from './endpoint.ts';
import { serverLimits } from './server-limits.ts';
import { category, certainty, nothing, time, uuid } from './shapes.ts';

export const scanItem = z.object({
  kind: z.enum(['programs', 'services', 'start_up', 'downloads']),
  identifier: z.string().min(1).max(300),
  name: z.string().min(1).max(200),
  category,
  certainty,
  /** The file, or the system's name for the found item. */
  details: z.string().max(2000),
  did: z.enum(['put_away', 'stopped', 'start_up_removed', 'kept_from_running', 'left', 'reported']),
  blocked: z.boolean(),
});
export type ScanItem = z.infer<typeof scanItem>;

/** All items of one scan cause a single notification. */
export const agentScan = z.object({
  /** The agent makes the id; the server ignores repeated ones. */
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
