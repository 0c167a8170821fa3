import { basename, join } from 'node:path';
import { type AgentEvent, agentEvent } from '@porchlight/contract/agent-events.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { jsonFilesIn } from './files.ts';
import type { SealedFiles } from './sealed-files.ts';

/** Events that wait for the server, one file each, numbered in order. */
export function eventQueue(folder: string, files: SealedFiles) {
  return {
    /**
     * Queues events in order of calls, independent of the clock. False when the queue is full; calls for help and notices of leaving are always queued:
     * the day of a notice begins when the server has it.
     */
    queueEvent: async (event: AgentEvent): Promise<boolean> => {
      const queuedPaths = await jsonFilesIn(folder);
      if (queuedPaths.length >= agentLimits.events_stored_max && event.reported.kind !== 'leaving' && event.reported.kind !== 'help')
        return false;
      const nextNumber = 1 + Number.parseInt(basename(queuedPaths.at(-1) ?? '0'), 10);
      await files.write(join(folder, `${String(nextNumber).padStart(12, '0')}-${event.uuid}.json`), event, 'once');
      return true;
    },
    pendingEvents: async (): Promise<AgentEvent[]> => {
      const events: (AgentEvent | null)[] = [];
      for (const path of await jsonFilesIn(folder)) events.push(await files.read(path, agentEvent));
      return events.filter((one) => one !== null);
    },
    eventFiles: () => jsonFilesIn(folder),
    eventIn: (path: string) => files.read(path, agentEvent),
    eventReported: async ({ uuid }: AgentEvent) => {
      for (const path of await jsonFilesIn(folder)) if (path.endsWith(`-${uuid}.json`)) await files.remove(path);
    },
  };
}
