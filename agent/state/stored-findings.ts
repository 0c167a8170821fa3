import { category, certainty, time, uuid } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';

/**
 * What was done about it. `put_away`: its files lie where nobody can start them. `stopped`: a service, now and for good. `start_up_removed`. `kept_from_running`:
 * it stays installed, for it is not ours to take away, and is ended whenever it starts. `left`: it could not be done. `told`: the policy only wants it told.
 */
export const did = z.enum(['put_away', 'stopped', 'start_up_removed', 'kept_from_running', 'left', 'told']);
export type Did = z.infer<typeof did>;

/** One thing that was found, and what became of it. */
export const found = z.object({
  kind: z.enum(['programs', 'services', 'start_up', 'downloads']),
  identifier: z.string(),
  name: z.string(),
  category,
  certainty,
  /** The file, or what the system calls it. */
  entry: z.string(),
  did,
  /** Why it was left. */
  why: z.enum(['changed', 'protected', 'gone', 'place_taken', 'damaged', 'refused']).optional(),
  /** What can be put back. */
  held: z.array(uuid),
  time,
});
export type Found = z.infer<typeof found>;

/** What of one look the server is to hear: one report, however much was found. */
export const scanReport = z.object({ uuid, device: uuid, time, found: z.array(found) });
export type ScanReport = z.infer<typeof scanReport>;

/** The same thing, each time it is found. */
export const keyOf = ({ kind, entry }: Pick<Found, 'kind' | 'entry'>): string => `${kind} ${entry}`;

/** Has it become harmless? */
export const isBlocked = (one: Pick<Found, 'did'>): boolean => one.did !== 'left' && one.did !== 'told';
