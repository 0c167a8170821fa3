import type { PostWebhook } from '../../integrations/webhook/webhook.ts';
import type { AddressAnswer } from '../../lib/ask-address.ts';
import type { Disk } from '../../lib/read-disk.ts';

/** What is around this server, which tests replace. */
export interface OperatorSurroundings {
  /** The name of this computer. */
  hostname: string;
  /** The disk of DATA_DIR. */
  readDisk(): Promise<Disk>;
  /** Resolves when PostgreSQL has answered on a connection of its own; otherwise rejects within seconds. */
  pingDatabase(): Promise<unknown>;
  askAddress(url: URL, signal: AbortSignal): Promise<AddressAnswer>;
  /** Null without OPERATOR_WEBHOOK. */
  postWebhook: PostWebhook | null;
  /** In milliseconds between two rounds, of the checks and of the ping. */
  every: { check: number; ping: number };
}
