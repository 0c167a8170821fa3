import { serverLimits } from '@porchlight/contract/server-limits.ts';

const countOf = (text: string) => text.split(/\s+/).filter(Boolean).length;

/** Sentences, a question together with what answers it: alone it would only worry people, and one that nothing answers is left out. */
function thoughtsOf(text: string): string[] {
  const thoughts: string[] = [];
  let question = '';
  for (const sentence of text.match(/.+?[.!?](?=\s|$)\s*/gs) ?? []) {
    question += sentence;
    if (/\?\s*$/.test(sentence)) continue;
    thoughts.push(question);
    question = '';
  }
  return thoughts;
}

/** The budget of an email of at most `serverLimits.letter_words` words after these texts, which stay however long they are. */
export function wordsLeft(texts: string[]) {
  let left = serverLimits.letter_words - texts.reduce((sum, text) => sum + countOf(text), 0);
  return {
    /** The thoughts from the beginning for which there is room, whole ones only, and at most `most` of them. */
    take(text: string, most = Number.POSITIVE_INFINITY): string {
      let taken = '';
      for (const thought of thoughtsOf(text).slice(0, most)) {
        if (countOf(thought) > left) break;
        left -= countOf(thought);
        taken += thought;
      }
      return taken.trim();
    },
  };
}
