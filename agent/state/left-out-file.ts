import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { userFileSource } from '@porchlight/contract/agent-events.ts';
import { z } from 'zod';
import { readWhole, writeWhole } from './files.ts';
import type { Store } from './store.ts';

const DAY_MS = 24 * 3_600_000;

const work = z.object({ source: userFileSource, user: z.string() });
const leftOutWork = z.array(work.extend({ since: z.number() }));

export interface LeftOut {
  /** For the second thread, which cannot wait for anything. */
  file: string;
  has(work: { source: string; user: string }): boolean;
}

/**
 * The work at which the event loop stopped within the last day. Adds the work at which the last process was ended, and queues an event about
 * it. For a day, since then the file may be another one, and a stop costs seconds.
 */
export async function readLeftOut(
  folder: string,
  store: Pick<Store, 'identity' | 'queueEvent'>,
  now: () => Date,
  failed: (why: unknown) => void,
): Promise<LeftOut> {
  const [file, path] = [join(folder, 'stopped-at.json'), join(folder, 'left-out.json')];
  const isRecent = ({ since }: { since: number }) => Math.abs(now().getTime() - since) < DAY_MS;
  let all = ((await readWhole(path, leftOutWork)) ?? []).filter(isRecent);
  const note = async (newList: unknown, { source }: z.infer<typeof work>) => {
    await writeWhole(path, JSON.stringify(newList));
    // A computer that is not linked has no relatives to notify.
    if (await store.identity())
      await store.queueEvent({ uuid: randomUUID(), time: now().toISOString(), reported: { kind: 'left_out', source } });
    await rm(file, { force: true });
  };
  const last = await readWhole(file, work);
  if (last) {
    all = [...all, { ...last, since: now().getTime() }];
    await note(all, last).catch(failed);
  }
  return { file, has: ({ source, user }) => all.some((one) => one.source === source && one.user === user && isRecent(one)) };
}
