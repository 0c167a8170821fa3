import { createHash } from 'node:crypto';
import type { ProcessCommand } from '../os/port.ts';

/** The same command has the same id, whichever process of its pipeline is observed first. */
export const commandId = ({ line, pipeline }: Pick<ProcessCommand, 'line' | 'pipeline'>): string =>
  createHash('sha256')
    .update([line, ...pipeline.map((one) => one.line)].toSorted().join('\n'))
    .digest('hex')
    .slice(0, 24);
