import type { WrittenEmail } from '../texts/email.ts';

/** What an email says between its heading and its footer, without buttons and the titles of its parts. */
function bodyOf({ text }: WrittenEmail): string {
  const [, ...blocks] = (text.split('Nobody from ')[0] ?? '').trim().split('\n\n');
  const spoken = blocks.filter((block) => !/:\nhttps?:\S+$/.test(block) && !/^Call [^.]+: \+/.test(block));
  return spoken.map((block) => block.replace(/^[^\n]+\n/, '')).join(' ');
}

export const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;
export const bodyWords = (email: WrittenEmail): number => countWords(bodyOf(email));
