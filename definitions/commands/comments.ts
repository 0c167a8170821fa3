/** A shell that is given its commands as text. An interactive one may run what follows a `#`; in fish other quotes end. */
const givenText = /^(?:\S*\/)?-?(?:bash|zsh|dash|ash|ksh|sh)(?: --[a-z]{1,20})?(?: -[abd-hj-z]{1,8})? -[a-hj-z]{0,8}c[a-hj-z]{0,8} /;
/** Where a `#` can be something else, and what changes how comments are written. */
const unclear = /<<|`|\$\{|\(\(|\$[\d@*]|\b(?:eval|for|select|alias|histchars)\b|interactive/i;

/**
 * The command line of a shell of macOS or Linux without comments, which run nothing. In doubt it stays as it is: an author must not be able
 * to pass a command off as a comment. Reads the line a bounded number of times.
 */
export function withoutComments(line: string): string {
  const head = givenText.exec(line)?.[0];
  if (head === undefined || unclear.test(line)) return line;
  let plain = '';
  let quote = '';
  let from = 0;
  for (let at = head.length; at < line.length; at++) {
    const character = line[at] ?? '';
    if (character === '\\' && quote !== "'") at += 1;
    // A command within double quotes has quotes of its own.
    else if (quote === '"' && character === '$' && line[at + 1] === '(') return line;
    else if (quote !== '') quote = character === quote.at(-1) ? '' : quote;
    else if (character === "'" || character === '"') quote = character === "'" && line[at - 1] === '$' ? "$'" : character;
    else if (character === '#' && /[\s;&|]/.test(line[at - 1] ?? '')) {
      plain += line.slice(from, at);
      const end = line.indexOf('\n', at);
      from = end === -1 ? line.length : end;
      at = from;
    }
  }
  return quote === '' ? plain + line.slice(from) : line;
}
