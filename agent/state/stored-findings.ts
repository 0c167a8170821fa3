import { category, certainty, time, uuid } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';

/**
 * What was done: `put_away`: its files are quarantined. `stopped`: a service, stopped and disabled. `kept_from_running`: it stays
 * installed, because only its package manager may remove it, and is ended whenever it starts. `left`: taking it out of use failed. `reported`:
 * the policy only reports it.
 */
export const did = z.enum(['put_away', 'stopped', 'start_up_removed', 'kept_from_running', 'left', 'reported']);
export type Did = z.infer<typeof did>;

export const found = z.object({
  kind: z.enum(['programs', 'services', 'start_up', 'downloads']),
  identifier: z.string(),
  name: z.string(),
  category,
  certainty,
  entry: z.string(),
  did,
  why: z.enum(['changed', 'protected', 'gone', 'place_taken', 'damaged', 'refused']).optional(),
  held: z.array(uuid),
  time,
});
export type Found = z.infer<typeof found>;

export const scanReport = z.object({ uuid, device: uuid, time, found: z.array(found) });
export type ScanReport = z.infer<typeof scanReport>;

export const keyOf = ({ kind, entry }: Pick<Found, 'kind' | 'entry'>): string => `${kind} ${entry}`;

export const isBlocked = (one: Pick<Found, 'did'>): boolean => one.did !== 'left' && one.did !== 'reported';
