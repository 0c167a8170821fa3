const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cut at `max` UTF-16 units, with an ellipsis, and never within a character. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  let result = '';
  for (const { segment } of characters.segment(text)) {
    if (result.length + segment.length >= max) break;
    result += segment;
  }
  return `${result.trimEnd()}…`;
}

const countOf = (text: string, character: string) => text.split(character).length - 1;

/** Sentences with the spaces behind them. What somebody should say, in “quotation marks”, is not split. */
function sentencesIn(text: string): string[] {
  const sentences: string[] = [];
  let sentence = '';
  for (const part of text.match(/.+?([.!?][”’"]?(?=\s|$)|$)\s*/gs) ?? []) {
    sentence += part;
    if (countOf(sentence, '“') > countOf(sentence, '”')) continue;
    sentences.push(sentence);
    sentence = '';
  }
  return sentence ? [...sentences, sentence] : sentences;
}

/** The whole sentences that fit, from the beginning; a first sentence that is too long is cut. */
export function sentencesWithin(text: string, max: number): string {
  let result = '';
  for (const sentence of sentencesIn(text)) {
    if ((result + sentence).trimEnd().length > max) break;
    result += sentence;
  }
  return result.trimEnd() || shortened(text, max);
}
