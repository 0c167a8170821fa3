import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { importList } from '@porchlight/definitions/importers/import-list.ts';
import { readKeep } from '@porchlight/definitions/importers/keep.ts';

const data = ['../../shared/data', '../../../shared/data'].map((up) => new URL(`${up}/`, import.meta.url)).find((url) => existsSync(url));

/** Logs and returns null when the lists are not next to the repository. */
export async function publicSites(log: (line: string) => void): Promise<Uint8Array | null> {
  if (!data) {
    log('without a list of sites: the public lists do not lie beside the repository');
    return null;
  }
  const text = gunzipSync(await readFile(new URL('scam-domains-public.txt.gz', data))).toString();
  const { list, report } = await importList([text], { format: 'plain', keep: await readKeep([]) });
  log(`a list of ${report.names} sites`);
  return list;
}
