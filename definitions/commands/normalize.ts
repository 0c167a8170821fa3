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

const signs = new Set('|&;(){}<>,');

/** One space on both sides of each sign. A loop, since a command can be 65,536 of them. `text`: with single spaces. */
function spaceSigns(text: string): string {
  let spaced = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (!signs.has(character)) continue;
    const hasSpace = at === from ? at > 0 : text[at - 1] === ' ';
    spaced += `${text.slice(from, at)}${hasSpace ? '' : ' '}${character} `;
    from = text[at + 1] === ' ' ? at + 2 : at + 1;
  }
  return spaced + text.slice(from);
}

/** The same with a space on both sides of the signs that divide commands, so that terms of `patterns.json` need one spelling. */
export function normalizeCommand(text: string, os: Os): string {
  const spaced = spaceSigns(withoutQuotes(text, os).replace(/ {2,}/g, ' '));
  if (os !== 'windows') return spaced.trim();
  return spaced
    .replace(/(^| )([^ ]+)\.exe(?= |$)/g, (whole, before: string, program: string) =>
      program.startsWith('\\\\') ? whole : before + program,
    )
    .replace(/(^| )\/(?=[a-z?])/g, '$1-')
    .replace(/(^| )-([a-z]{1,20}):/g, '$1-$2 ')
    .trim();
}
