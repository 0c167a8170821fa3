import { serverLimits } from '@porchlight/contract/server-limits.ts';

const countOf = (text: string) => text.split(/\s+/).filter(Boolean).length;

/** What is left of a letter of at most `serverLimits.letter_words` words when these texts are in it. */
export function wordsLeft(texts: string[]) {
  let left = serverLimits.letter_words - texts.reduce((sum, text) => sum + countOf(text), 0);
  return {
    /** The sentences from the beginning for which there is room, whole ones only, and at most `most` of them. */
    take(text: string, most = Number.POSITIVE_INFINITY): string {
      let taken = '';
      for (const sentence of (text.match(/.+?[.!?](?=\s|$)\s*/gs) ?? []).slice(0, most)) {
        if (countOf(sentence) > left) break;
        left -= countOf(sentence);
        taken += sentence;
      }
      return taken.trim();
    },
  };
}
