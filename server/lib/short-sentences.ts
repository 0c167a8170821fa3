/** Cut at `max` UTF-16 units, with an ellipsis, and never within a character. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  let result = '';
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if (result.length + segment.length >= max) break;
    result += segment;
  }
  return `${result.trimEnd()}…`;
}

/** As many whole sentences as fit, from the beginning; a first sentence that is too long is cut. */
export function sentencesWithin(text: string, max: number): string {
  let result = '';
  for (const sentence of text.match(/.+?([.!?][”’"]?(?=\s|$)|$)\s*/gs) ?? []) {
    if ((result + sentence).trimEnd().length > max) break;
    result += sentence;
  }
  return result.trimEnd() || shortened(text, max);
}
