import type { Os } from '../format.ts';

/** Zero-width characters and other marks that change nothing on the screen. */
// oxlint-disable-next-line no-control-regex, no-misleading-character-class
const invisible =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]/g;

/**
 * The text as a shell puts it together: without quotes, escapes and joined strings, in lower case, with single spaces. Addresses are
 * readable in it. Every step reads the text once.
 */
export function withoutQuotes(text: string, os: Os): string {
  const plain = text
    .normalize('NFKC')
    .replace(invisible, '')
    .toLowerCase()
    .replace(/[\r\n]/g, ' ; ')
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201f]/g, "'")
    .replace(/['"] ?\+ ?['"]/g, '');
  if (os === 'windows') return plain.replace(/['"^`]/g, '');
  return plain
    .replace(/\\(?=[^ ])/g, '')
    .replace(/`/g, '$(')
    .replace(/['"]/g, '');
}

/** The same with a space on both sides of the signs that divide commands, so that terms of `patterns.json` need one spelling. */
export function normalizeCommand(text: string, os: Os): string {
  const spaced = withoutQuotes(text, os)
    .replace(/[|&;(){}<>,]/g, ' $& ')
    .replace(/ {2,}/g, ' ');
  if (os !== 'windows') return spaced.trim();
  return spaced
    .replace(/(^| )([^ ]+)\.exe(?= |$)/g, (whole, before: string, program: string) =>
      program.startsWith('\\\\') ? whole : before + program,
    )
    .replace(/(^| )\/(?=[a-z?])/g, '$1-')
    .replace(/(^| )-([a-z]{1,20}):/g, '$1-$2 ')
    .trim();
}
