import { serverLimits } from '@porchlight/contract/server-limits.ts';

const countOf = (text: string) => text.split(/\s+/).filter(Boolean).length;

/** A question stays with its answer: alone it would only worry people. */
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

const countOfAll = (texts: string[]) => texts.reduce((sum, text) => sum + countOf(text), 0);

/** The words that remain for the body of an email after these fixed texts: `body`, and `around` it the heading, titles and buttons. */
export function wordsLeft({ body, around }: { body: string[]; around: string[] }) {
  const used = countOfAll(body);
  let wordsRemaining = Math.min(serverLimits.email_body_words_max - used, serverLimits.email_words_max - used - countOfAll(around));
  return {
    /** The whole sentences that fit, from the beginning, and at most `sentencesMax`. */
    take(text: string, sentencesMax = Number.POSITIVE_INFINITY): string {
      let takenText = '';
      for (const sentenceGroup of thoughtsOf(text).slice(0, sentencesMax)) {
        if (countOf(sentenceGroup) > wordsRemaining) break;
        wordsRemaining -= countOf(sentenceGroup);
        takenText += sentenceGroup;
      }
      return takenText.trim();
    },
  };
}
