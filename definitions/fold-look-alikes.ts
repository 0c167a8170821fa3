/** Characters that take no room on the screen or turn its direction, and the marks behind a brand: `AnyDesk\u200b.exe`, `Radmin®`. */
export const unseen = /[\p{Default_Ignorable_Code_Point}\u00ae\u2122\u00a9]/gu;

/** Lower-case Cyrillic and Greek letters that are drawn as a Latin one, large or small, and below each the one it imitates. */
const imitations = 'авекмнорстухѕіјԁԛԝһӏѵαβεικορτυχ';
const imitated = 'abekmhopctyxsijdqwhlvabeikoptyx';
const latin = new Map(imitations.split('').map((letter, at) => [letter, imitated.charAt(at)]));

/**
 * A word of Latin letters and letters that imitate them, as the Latin word; `text` is lower case. Only safe where Latin letters
 * stand beside them and the whole becomes plain: a word that is all Russian or Greek is left as it is.
 */
export function foldMixedScripts(text: string): string {
  return text.replace(/\S+/g, (word) => {
    if (!/[a-z]/.test(word)) return word;
    const folded = word.replace(/[^\x21-\x7e]/gu, (letter) => latin.get(letter) ?? letter);
    return /^[\x21-\x7e]+$/.test(folded) ? folded : word;
  });
}
