import { uuid } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';
import { span } from '../lib/span.ts';
import type { SealedFiles } from './sealed-files.ts';

/** `addresses`: of our server, because DNS is cut too. `ended`: by the user. */
const storedIsolation = z.object({ uuid, span, addresses: z.array(z.string()), ended: z.boolean() });
export type StoredIsolation = z.infer<typeof storedIsolation>;

export interface IsolationFile {
  load(): Promise<StoredIsolation | null>;
  save(value: StoredIsolation | null): Promise<void>;
}

/** The network isolation that the policy has, or had when it was last read. */
export function isolationFile(files: Pick<SealedFiles, 'read' | 'write' | 'remove'>, path: string): IsolationFile {
  return {
    load: () => files.read(path, storedIsolation),
    save: (value) => (value ? files.write(path, value) : files.remove(path)),
  };
}
