const separators = new Set(['&', ';', '|', '(', '{', 'do', 'then', '\n']);
const beforeFiles = new Set(['-o', '--output', '--output-document', '-outfile', '--out', '>', '-destination', '-lo', '-so', '-slo', '-ko']);

/** The word by which patterns find it, since no term can express that two words are the same. */
export const startedByName = 'started-by-name';

const longest_word = 300;

/** `c:\a\run`, `.\run` and `https://a.example/run?x` alike. */
const fileIn = (word: string) => word.split(/[?#]/, 1)[0]?.split(/[\\/]/).at(-1) ?? '';

/**
 * Whether a command starts by its mere name what it has fetched into a file before: `curl -o run a.example/x & run`. `text`:
 * normalized; it is read once.
 */
export function startsByName(text: string): boolean {
  const files = new Set<string>();
  let before = '\n';
  for (const word of text.split(' ')) {
    if (word !== '' && word.length <= longest_word) {
      if (separators.has(before)) {
        if (files.size > 0 && files.has(fileIn(word))) return true;
      } else if (beforeFiles.has(before) || (word.includes('/') && /^[a-z0-9_.:-]{4,}\/./.test(word))) files.add(fileIn(word));
      // The address of a folder names no file.
      files.delete('');
    }
    before = word;
  }
  return false;
}
