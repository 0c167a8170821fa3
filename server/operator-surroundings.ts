import { hostname } from 'node:os';
import type { Config } from './config.ts';
import { pingDatabase } from './db/ping.ts';
import type { OperatorSurroundings } from './features/operator-alerts/surroundings.ts';
import { webhook } from './integrations/webhook/webhook.ts';
import { type AddressSource, askAddress } from './lib/ask-address.ts';
import { readDisk } from './lib/read-disk.ts';

/** The computer, the database and the network as they are. */
export function operatorSurroundings(
  { data_dir, operator }: Pick<Config, 'data_dir' | 'operator'>,
  database_url: string,
  source: AddressSource,
): OperatorSurroundings {
  return {
    hostname: hostname(),
    readDisk: () => readDisk(data_dir),
    pingDatabase: () => pingDatabase(database_url),
    askAddress: (url, signal) => askAddress(url, source, signal),
    postWebhook: operator.webhook === null ? null : webhook(operator.webhook),
    every: { check: 30_000, ping: 10_000 },
  };
}
