import type { AgentInfo, agentEndpoints, ReportedDetection } from '@porchlight/contract/agent.ts';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import type { DetectionDeliveries } from '@porchlight/contract/detection-deliveries.ts';
import type { Goodbye } from '@porchlight/contract/device-health.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import type { Handlers } from '../../http/bind.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';

export interface ReportDeps extends Pick<Kernel, 'clock'> {
  devices: {
    seen(
      uuid: string,
      seen?: { info?: AgentInfo; protecting?: boolean; strict_until?: Date | null; leaves?: Date | null },
    ): Promise<unknown>;
  };
  health: {
    goodbye(device: string, report: Goodbye): Promise<void>;
    /** Stores each event once; returns the ids of stored events. */
    events(device: string, events: AgentEvent[]): Promise<string[]>;
    checkedIn(device: string, report: { protecting: boolean; says_sleep: boolean; away?: number | undefined }): Promise<unknown>;
  };
  storeScan(device: string, scan: AgentScan): Promise<void>;
  storeDetections(device: string, detections: ReportedDetection[]): Promise<void>;
  recipientsOf(device: string, detections: string[]): Promise<DetectionDeliveries[]>;
}

type Reports = Pick<
  Handlers<typeof agentEndpoints>,
  'POST /agent/check-in' | 'POST /agent/goodbye' | 'POST /agent/events' | 'POST /agent/scan' | 'POST /agent/detections'
>;

/** What agents report. */
export function reportRoutes(deps: ReportDeps): Reports {
  const { clock, devices } = deps;
  const fromNow = (ms: number | null) => (ms ? after(clock.now(), ms) : null);

  return {
    'POST /agent/check-in': async ({ device, body }) => {
      const { info, protecting, strict_for, leaves_in } = body;
      await devices.seen(device, { info, protecting, strict_until: fromNow(strict_for), leaves: fromNow(leaves_in) });
      await deps.health.checkedIn(device, body);
      return { notified: await deps.recipientsOf(device, body.asks) };
    },

    'POST /agent/goodbye': async ({ device, body }) => {
      await devices.seen(device);
      await deps.health.goodbye(device, body);
      return {};
    },

    'POST /agent/events': async ({ device, body }) => {
      await devices.seen(device);
      return { stored: await deps.health.events(device, body.events) };
    },

    'POST /agent/scan': async ({ device, body }) => {
      await devices.seen(device);
      await deps.storeScan(device, body);
      return {};
    },

    'POST /agent/detections': async ({ device, body }) => {
      await devices.seen(device);
      await deps.storeDetections(device, body.detections);
      return { stored: body.detections.map((d) => d.uuid) };
    },
  };
}
