import { randomBytes } from 'node:crypto';
import { day } from '@porchlight/contract/time.ts';
import { z } from 'zod';
import type { SealedFiles } from './sealed-files.ts';

/** How long an opened site is remembered, as a list of young sites has each of them (P16.3). */
const REMEMBERED_DAYS = 14;
const MAX_SITES = 20_000;

/** `days`: by the day since 1970, the hashes of the sites that were opened for the first time. */
const openedSites = z.object({ key: z.string(), days: z.record(z.string(), z.array(z.string())) });
type OpenedSites = z.infer<typeof openedSites>;

/** The sites that this computer opened, as keyed hashes. `now`: milliseconds since 1970. */
export function openedSitesFile(files: Pick<SealedFiles, 'read' | 'write'>, path: string) {
  const load = async (now: number): Promise<OpenedSites> => {
    const { key, days } = (await files.read(path, openedSites)) ?? { key: randomBytes(32).toString('base64url'), days: {} };
    const today = Math.floor(now / day);
    // A day in the future was noted by a clock that was wrong.
    const remembered = Object.entries(days).filter(([one]) => today - Number(one) < REMEMBERED_DAYS && Number(one) <= today);
    return { key, days: Object.fromEntries(remembered) };
  };
  const hashesOf = ({ days }: OpenedSites) => Object.values(days).flat();
  return {
    async load(now: number): Promise<{ key: string; hashes: string[] }> {
      const opened = await load(now);
      // Written now, so that the key stays when nothing else is noted.
      await files.write(path, opened);
      return { key: opened.key, hashes: hashesOf(opened) };
    },
    async add(hashes: string[], now: number): Promise<void> {
      const opened = await load(now);
      const today = String(Math.floor(now / day));
      const room = Math.max(0, MAX_SITES - hashesOf(opened).length);
      opened.days[today] = [...(opened.days[today] ?? []), ...hashes.slice(0, room)];
      await files.write(path, opened);
    },
  };
}
