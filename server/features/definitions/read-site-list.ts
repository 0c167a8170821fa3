import { setImmediate as othersFirst } from 'node:timers/promises';
import type { PublishedList } from '@porchlight/definitions/default-lists.ts';
import { importList } from '@porchlight/definitions/importers/import-list.ts';
import { isProtected, type Keep, readKeep } from '@porchlight/definitions/importers/keep.ts';
import { withParentDomains } from '@porchlight/definitions/sites/parent-domains.ts';
import { z } from 'zod';
import type { ListNames } from './site-lists.ts';

/** A list that loses a greater share of its sites may be broken or hijacked, so the operator must check it. */
const maxLoss = 0.5;
/** The same for a list that becomes this many times as long. */
const maxGrowth = 10;
/** Maintained lists contain up to 12 of the most visited sites by mistake, at most 0.3 % of their sites (measured on five in 2026). */
const maxMostVisited = { count: 10, share: 0.005 };

export interface ListToRead {
  body: Buffer;
  /** The media type that the list's server stated. */
  type: string;
  format: PublishedList['format'];
  /** The number of sites in the last good list; 0 when there is none, or the operator has accepted any number. */
  countBefore: number;
  /** The names of all keep lists. */
  keep: Keep;
}

/** The names in a fetched list. Throws a sentence for the operator when the list has turned bad; then its last good state stays in force. */
export async function readSiteList({ body, type, format, countBefore, keep }: ListToRead): Promise<ListNames> {
  if (/^text\/html/i.test(type) || /^\s*<(!doctype|html)/i.test(body.subarray(0, 500).toString('utf8')))
    throw new Error('it is a page, and no list');
  const read =
    format === 'keep'
      ? { names: [...(await readKeep([body]))], exceptions: [] }
      : await blockedNames(body, format, format === 'young' ? null : keep);
  const { length } = read.names;
  if (length === 0) throw new Error('there is no site in it');
  if (countBefore > 0 && length < countBefore * (1 - maxLoss))
    throw new Error(`it has ${length} sites, and had ${countBefore}: look at it first`);
  if (countBefore > 0 && length >= countBefore * maxGrowth)
    throw new Error(`it has ${length} sites, and had ${countBefore}, ${Math.floor(length / countBefore)} times as many: look at it first`);
  return read;
}

/** `keep`: null for a list that blocks nothing. */
async function blockedNames(body: Buffer, format: Exclude<PublishedList['format'], 'keep'>, keep: Keep | null): Promise<ListNames> {
  const [names, harmless] = [new Set<string>(), new Set<string>()];
  // Not with `keep`, because a keep list may change: `mergeLists` leaves out the names that are on one then.
  const { report } = await importList(piecesOf(format === 'deny' ? denied(body) : body), {
    ...{ format: format === 'deny' || format === 'young' ? 'plain' : format, keep: new Set() },
    entry: (host) => names.add(host),
    harmless: (host) => harmless.add(host),
  });
  const mostVisited = keep ? [...harmless, ...[...names].filter((name) => isProtected(name, keep))] : [];
  const share = mostVisited.length / (names.size + harmless.size);
  if (mostVisited.length >= maxMostVisited.count && share > maxMostVisited.share)
    throw new Error(`it would block ${mostVisited.length} of the most visited sites, such as ${mostVisited.slice(0, 3).join(', ')}`);
  const unblockable = new Set(report.exceptions.flatMap(withParentDomains));
  return { names: [...names].filter((name) => !unblockable.has(name)), exceptions: report.exceptions };
}

/** A list is read in pieces of about 30 milliseconds each: one of 400,000 sites would else have every request wait for a second. */
const pieceLength = 256 * 1024;

async function* piecesOf(body: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += pieceLength) {
    yield body.subarray(at, at + pieceLength);
    await othersFirst();
  }
}

const denyList = z.object({ deny: z.array(z.string()) });

function denied(body: Buffer): Buffer {
  let json: unknown = null;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {}
  const { data } = denyList.safeParse(json);
  if (!data) throw new Error('it is not JSON with the names in "deny"');
  return Buffer.from(data.deny.join('\n'));
}
