/** Our lines in a file of another program, between two marker lines; the rest of the file is unchanged, byte for byte. */
export const marks = { begin: '# Porchlight begins. It takes these lines away again when it stops.', end: '# Porchlight ends.' } as const;

/** Comes before a line of the file that ours replace. */
const replaced = '# Instead of: ';

/** Removes our lines, and restores those that they replace. Without an end marker only the line of the begin marker is removed. */
export function withoutMarked(text: string): string {
  let remaining = text;
  for (let from = remaining.indexOf(marks.begin); from >= 0; from = remaining.indexOf(marks.begin)) {
    const end = remaining.indexOf(marks.end, from);
    const endOfMarked = end < 0 ? from + marks.begin.length : end + marks.end.length;
    const newline = remaining[endOfMarked] === '\n' ? '\n' : '';
    const former = remaining
      .slice(from, endOfMarked)
      .split('\n')
      .filter((line) => line.startsWith(replaced));
    remaining = [
      remaining.slice(0, from),
      ...former.map((line) => line.slice(replaced.length) + newline),
      remaining.slice(endOfMarked + newline.length),
    ].join('');
  }
  return remaining;
}

/** Replaces a line of the file by ours. */
export const inPlaceOf = (line: string, ours: string): string => [marks.begin, `${replaced}${line}`, ours, marks.end].join('\n');

/** `change`: of what the file says without our lines, by `inPlaceOf`. */
export function withMarkedFirst(text: string, lines: string[], change = (others: string) => others): string {
  return `${[marks.begin, ...lines, marks.end].join('\n')}\n${change(withoutMarked(text))}`;
}

export const hasMarked = (text: string): boolean => text.includes(marks.begin);
