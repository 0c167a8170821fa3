import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { MAX_DEPTH } from './download-folders.ts';

export interface Extraction {
  /** As the command line names them, absolute. */
  archives: string[];
  /** Where the files appear. */
  folder: string;
}

const ARCHIVE_PROGRAMS =
  /^(unzip|tar|bsdtar|7z[arz]?|unar|unrar|gunzip|gzip|xz|unxz|zstd|unzstd|dpkg-deb|file-roller|engrampa|ark|xarchiver|unsquashfs|cabextract|msiextract)$/;
const ARCHIVE_NAME = /\.(zip|tar|tgz|tbz2?|txz|tzst|gz|bz2|xz|zst|7z|rar|deb|rpm|jar|iso|cab|msi|squashfs)$/i;
/** Options that name the folder, with the value joined or after them. */
const FOLDER_OPTION = /^(-d|-C|-o|--directory|--extract-to|--destination|--output-directory)(=|$|(?=[/.~\w]))/;

/** What an archive program extracts, and where; null for other programs and when the command line names no archive. */
export function extractionOf(program: string, args: string[], workingFolder: string): Extraction | null {
  if (!ARCHIVE_PROGRAMS.test(basename(program))) return null;
  const absolute = (path: string) => (isAbsolute(path) ? path : join(workingFolder, path));
  const named = args.map((argument) => argument.replace(/^file:\/\//, '').replace(/^--?\w+=/, ''));
  const archives = named.filter((argument) => ARCHIVE_NAME.test(argument)).map(absolute);
  const [first] = archives;
  if (!first) return null;
  const at = args.findIndex((argument) => FOLDER_OPTION.test(argument));
  const option = args[at]?.replace(FOLDER_OPTION, '') || args[at + 1];
  const isAtArchive = /^(file-roller|engrampa|ark|xarchiver|gunzip|gzip|xz|unxz|zstd|unzstd)$/.test(basename(program));
  return {
    archives,
    folder: at >= 0 && option ? absolute(option.replace(/^file:\/\//, '')) : isAtArchive ? dirname(first) : workingFolder,
  };
}

const MAX_EXTRACTIONS = 100;
/** Files that appear in the folder this long after the program began count as extracted. */
const DURATION_MS = 10 * 60_000;
/** The program began before the agent noticed it. */
const MARGIN_MS = 2000;

export interface Extractions<Source> {
  /** `uid`: of the archive's owner. `now`: milliseconds since 1970. */
  add(extraction: { folder: string; uid: number; source: Source }, now: number): void;
  /** What the file was extracted from; null when it was not. */
  sourceOf(file: { path: string; born: number; uid: number }): Source | null;
}

/** Remembers where archives from the internet were extracted, because archive programs do not carry the mark over. */
export function extractions<Source>(): Extractions<Source> {
  const known: { folder: string; uid: number; source: Source; began: number }[] = [];
  return {
    add(extraction, now) {
      known.push({ ...extraction, began: now });
      if (known.length > MAX_EXTRACTIONS) known.shift();
    },
    sourceOf: ({ path, born, uid }) =>
      known.findLast(
        (one) =>
          one.uid === uid &&
          born >= one.began - MARGIN_MS &&
          born <= one.began + DURATION_MS &&
          path.startsWith(one.folder.endsWith(sep) ? one.folder : one.folder + sep) &&
          path.slice(one.folder.length + 1).split(sep).length <= MAX_DEPTH,
      )?.source ?? null,
  };
}
