import type { Os } from '../format.ts';

/** Zero-width characters and other marks that change nothing on the screen. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The text as a shell puts it together: without quotes, escapes and joined strings, in lower case, with single spaces. Addresses are
 * readable in it. Every step reads the text once.
 */
export function withoutQuotes(text: string, os: Os): string {
  const plain = text
    .replace(invisible, '')
    .toLowerCase()
    .replace(/[\r\n]/g, ' ; ')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
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
