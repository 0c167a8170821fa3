/** Our lines in a file of another program, between two marker lines; the rest of the file is unchanged, byte for byte. */
export const marks = { begin: '# Porchlight begins. It takes these lines away again when it stops.', end: '# Porchlight ends.' } as const;

/** Removes our lines. Without an end marker only the line of the begin marker is removed. */
export function withoutMarked(text: string): string {
  let remaining = text;
  for (let from = remaining.indexOf(marks.begin); from >= 0; from = remaining.indexOf(marks.begin)) {
    const end = remaining.indexOf(marks.end, from);
    const endOfMarked = end < 0 ? from + marks.begin.length : end + marks.end.length;
    remaining = remaining.slice(0, from) + remaining.slice(remaining[endOfMarked] === '\n' ? endOfMarked + 1 : endOfMarked);
  }
  return remaining;
}

export function withMarkedFirst(text: string, lines: string[]): string {
  return `${[marks.begin, ...lines, marks.end].join('\n')}\n${withoutMarked(text)}`;
}

export const hasMarked = (text: string): boolean => text.includes(marks.begin);
