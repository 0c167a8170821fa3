import { hashStore } from '../sites/hash-store.ts';
import { listLayout } from '../sites/list-bytes.ts';
import { withNamesAbove } from '../sites/names-above.ts';
import { countChanges } from '../sites/site-delta.ts';
import { looksLikeAdblock, readAdblockLine } from './adblock.ts';
import { looksLikeHosts, readHostsLine } from './hosts-file.ts';
import { type Keep, whyKept } from './keep.ts';
import { eachLine, longestLine } from './lines.ts';
import type { LineReader } from './list-line.ts';
import { readPlainLine } from './plain-domains.ts';

export const listFormats = {
  hosts: readHostsLine,
  adblock: readAdblockLine,
  plain: readPlainLine,
  /** Line by line, because lists are put together from several. */
  auto: (text) => (looksLikeHosts(text) ? readHostsLine : looksLikeAdblock(text) ? readAdblockLine : readPlainLine)(text),
} satisfies Record<string, LineReader>;
export type ListFormat = keyof typeof listFormats;

/** A line of which something is to be said, shortened to 120 letters. */
export interface Remark {
  line: number;
  text: string;
  why: string;
}

export interface ImportReport {
  lines: number;
  /** Different names in the list. */
  names: number;
  /** Of these, not in the list before. */
  new: number;
  /** In the list before, and not in this one. */
  gone: number;
  /** Taken otherwise than written, and not taken: the first `shown` of each; the counts are of all. */
  changed: Remark[];
  changed_count: number;
  refused: Remark[];
  refused_count: number;
  /** Names that the list itself wants left alone: they are not in it, and neither is any name above them. */
  exceptions: string[];
}

export interface Imported {
  /** Bytes of a site list. */
  list: Uint8Array<ArrayBuffer>;
  report: ImportReport;
}

const shown = 1000;

interface Options {
  format: ListFormat;
  keep: Keep;
  /** The list as it is now, to say what is new. */
  before?: Uint8Array;
  /** Every name that is taken, as often as it is written, for a draft that people can read. */
  entry?: (host: string) => void;
}

/** Reads a list of any size as it arrives. Throws `SiteListError` only for a damaged `before`; what is wrong in the text goes into the report. */
export async function importList(chunks: Parameters<typeof eachLine>[0], { format, keep, before, entry }: Options): Promise<Imported> {
  const [store, exceptions, read] = [hashStore(), new Set<string>(), listFormats[format]];
  const report: ImportReport = {
    lines: 0,
    names: 0,
    new: 0,
    gone: 0,
    changed: [],
    changed_count: 0,
    refused: [],
    refused_count: 0,
    exceptions: [],
  };
  const remark = (kind: 'changed' | 'refused', { text, ...rest }: Remark) => {
    report[`${kind}_count`]++;
    if (report[kind].length < shown) report[kind].push({ ...rest, text: text.slice(0, 120) });
  };
  const taken = (host: string) => {
    store.add(host);
    entry?.(host);
  };
  await eachLine(chunks, (text, line) => {
    report.lines = line;
    if (text === null) return remark('refused', { line, text: '', why: `is longer than ${longestLine} letters` });
    for (const item of read(text)) {
      const why = 'why' in item ? item.why : item.exception ? null : whyKept(item.host, keep);
      if (why !== null) remark('refused', { line, text, why });
      else if ('host' in item && item.exception) exceptions.add(item.host);
      else if ('host' in item) {
        if (item.changed) remark('changed', { line, text, why: item.changed });
        taken(item.host);
      }
    }
  });
  const list = store.list([...exceptions].flatMap(withNamesAbove));
  const names = (list.length - listLayout.header) / 8;
  const { came, went } = before ? countChanges(before, list) : { came: names, went: 0 };
  return {
    list,
    report: { ...report, names, new: came, gone: went, exceptions: [...exceptions].sort() },
  };
}
