const titles = /^(?:mrs?|ms|miss|mx|dr|prof|sir|rev)\.?$/i;

/** The first name, as a friend would say it; after a title its surname: `Mrs Example`. */
export function firstName(name: string): string {
  // A substitute for a name, such as *the account’s owner*.
  if (/^(a|the) /.test(name)) return name;
  const [firstWord = '', ...otherWords] = name.trim().split(/\s+/);
  return titles.test(firstWord) && otherWords.length > 0 ? `${firstWord} ${otherWords.at(-1)}` : firstWord;
}

/** The name of something found, in the middle of a sentence: `a pasted command`, but `AnyDesk`. */
export const inSentence = (name: string): string => name.replace(/^(An?|The) /, (article) => article.toLowerCase());
