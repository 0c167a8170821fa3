import type { Disk } from '../../../lib/read-disk.ts';
import { bad, good } from '../problem-rule.ts';
import type { OperationCheck } from './check.ts';

const [megabyte, gigabyte] = [1_000_000, 1_000_000_000];
/** Space that is enough whatever the size: 5 % of a large disk would last for years. */
const enough = 10 * gigabyte;
/** A share of the limit: a problem ends only with clearly more space than it began with. */
const ends_at = 1.5;

/** In bytes: less is a problem. */
const limitOf = (size: number) => Math.max(500 * megabyte, Math.min(size / 20, enough));

export const diskKey = (hostname: string) => `disk:${hostname}`;
export const isDiskKey = (key: string) => key.startsWith(diskKey(''));

/** The disk of this computer's DATA_DIR; no other server can read it. */
export const diskCheck = (hostname: string, readDisk: () => Promise<Disk>): OperationCheck => ({
  key: diskKey(hostname),
  async read(isKnown) {
    const { free, size } = await readDisk();
    const limit = Math.min(limitOf(size) * (isKnown ? ends_at : 1), size / 2);
    return free < limit ? bad(`${inGigabytes(free)} of ${inGigabytes(size)} are free`) : good;
  },
});

const inGigabytes = (bytes: number) => `${(bytes / gigabyte).toFixed(bytes < enough ? 2 : 0)} GB`;
