/** Lines of ours in a file that is somebody else's, between two lines that say so; the rest of the file stays as it is, byte for byte. */
export const marks = { begin: '# Porchlight begins. It takes these lines away again when it stops.', end: '# Porchlight ends.' } as const;

/** The file without our lines. A beginning without an end is not ours to judge: then nothing is taken away but that line. */
export function withoutMarked(text: string): string {
  let rest = text;
  for (let from = rest.indexOf(marks.begin); from >= 0; from = rest.indexOf(marks.begin)) {
    const end = rest.indexOf(marks.end, from);
    const after = end < 0 ? from + marks.begin.length : end + marks.end.length;
    rest = rest.slice(0, from) + rest.slice(rest[after] === '\n' ? after + 1 : after);
  }
  return rest;
}

/** Our lines first, then the file as it was. */
export function withMarkedFirst(text: string, lines: string[]): string {
  return `${[marks.begin, ...lines, marks.end].join('\n')}\n${withoutMarked(text)}`;
}

export const hasMarked = (text: string): boolean => text.includes(marks.begin);
