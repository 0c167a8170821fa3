import { hashStore } from '../sites/hash-store.ts';
import { listLayout } from '../sites/list-bytes.ts';
import { withParentDomains } from '../sites/parent-domains.ts';
import { countChanges } from '../sites/site-delta.ts';
import { looksLikeAdblock, readAdblockLine } from './adblock.ts';
import { isHarmless, type Keep, whyNotBlockable } from './keep.ts';
import { eachLine, maxLineLength } from './lines.ts';
import { type LineReader, readName } from './list-line.ts';

const readPlainLine: LineReader = (text) => {
  const entryText = text.replace(/(?:^|\s)(?:#|\/\/|;|!).*/, '').trim();
  if (entryText === '') return [];
  if (/\s|,/.test(entryText)) return [{ why: 'has more than one name' }];
  const hostText = entryText.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  const read = readName(hostText);
  return hostText === entryText || 'why' in read || read.changed ? [read] : [{ ...read, changed: 'written in its one spelling' }];
};

const unroutableAddress = /^(?:0|0\.0\.0\.0|127(?:\.\d{1,3}){3}|255\.255\.255\.255|::1?|(?:0+:){7}0*[01]|fe80::1(?:%\w+)?)$/i;

const hostsAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|0|[0-9a-f]*:[0-9a-f:.]*(?:%\w+)?)$/i;

const looksLikeHosts = (text: string): boolean => hostsAddress.test(text.trim().split(/\s/, 1)[0] ?? '') && /\S\s+\S/.test(text);

const readHostsLine: LineReader = (text) => {
  const [firstWord = '', ...names] = text.replace(/#.*/, '').trim().split(/\s+/);
  if (firstWord === '') return [];
  if (!hostsAddress.test(firstWord)) return [{ why: 'does not begin with an address, as lines of a hosts file do' }];
  if (names.length === 0) return [{ why: 'has an address and no name' }];
  if (!unroutableAddress.test(firstWord)) return [{ why: 'sends the name to another computer, instead of nowhere' }];
  return names.map(readName);
};

export const listFormats = {
  hosts: readHostsLine,
  adblock: readAdblockLine,
  plain: readPlainLine,
  /** Detects the format of each line, because lists are merged from several formats. */
  auto: (text) => (looksLikeHosts(text) ? readHostsLine : looksLikeAdblock(text) ? readAdblockLine : readPlainLine)(text),
} satisfies Record<string, LineReader>;
export type ListFormat = keyof typeof listFormats;

/** `text` is cut to 120 characters. */
export interface Remark {
  line: number;
  text: string;
  why: string;
}

export interface ImportReport {
  lines: number;
  names: number;
  new: number;
  gone: number;
  /** Names changed during import, the first of them only; the counts include all. */
  changed: Remark[];
  changed_count: number;
  refused: Remark[];
  refused_count: number;
  /** Names that the list itself allows, with their parent domains. */
  exceptions: string[];
}

export interface Imported {
  list: Uint8Array<ArrayBuffer>;
  report: ImportReport;
}

const maxRemarks = 1000;

interface Options {
  format: ListFormat;
  keep: Keep;
  before?: Uint8Array;
  /** Called for every imported name, duplicates included. */
  entry?: (host: string) => void;
  /** Called for every name that is refused because it is well known to be harmless, duplicates included. */
  harmless?: (host: string) => void;
}

/** Throws `SiteListError` only for a damaged `before`; problems in the text are reported. */
export async function importList(
  chunks: Parameters<typeof eachLine>[0],
  { format, keep, before, entry, harmless }: Options,
): Promise<Imported> {
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
    if (report[kind].length < maxRemarks) report[kind].push({ ...rest, text: text.slice(0, 120) });
  };
  const storeName = (host: string) => {
    store.add(host);
    entry?.(host);
  };
  await eachLine(chunks, (text, line) => {
    report.lines = line;
    if (text === null) return remark('refused', { line, text: '', why: `is longer than ${maxLineLength} letters` });
    for (const item of read(text)) {
      const reason = 'why' in item ? item.why : item.exception ? null : whyNotBlockable(item.host, keep);
      if (reason !== null && 'host' in item && isHarmless(item.host, keep)) harmless?.(item.host);
      if (reason !== null) remark('refused', { line, text, why: reason });
      else if ('host' in item && item.exception) exceptions.add(item.host);
      else if ('host' in item) {
        if (item.changed) remark('changed', { line, text, why: item.changed });
        storeName(item.host);
      }
    }
  });
  const list = store.list([...exceptions].flatMap(withParentDomains));
  const names = (list.length - listLayout.header) / 8;
  const { came, went } = before ? countChanges(before, list) : { came: names, went: 0 };
  return {
    list,
    report: { ...report, names, new: came, gone: went, exceptions: [...exceptions].sort() },
  };
}
