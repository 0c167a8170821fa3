import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { TestServer } from './world.ts';

/** Reports detections as the agent with this token. */
export const report = (server: TestServer, agent: string, ...detections: ReportedDetection[]) =>
  server.call('POST /agent/detections', { token: agent, body: { detections } });
