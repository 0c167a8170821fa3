/** Characters that take no room on the screen or turn its direction, and the marks behind a brand: `AnyDesk\u200b.exe`, `Radmin®`. */
export const unseen =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff®™©]/g;

/** Lower-case Cyrillic and Greek letters that are drawn as a Latin one, large or small, and below each the one it imitates. */
const imitations = 'авекмнорстухѕіјԁԛԝһӏѵαβεικορτυχ';
const imitated = 'abekmhopctyxsijdqwhlvabeikoptyx';
const latin = new Map([...imitations].map((letter, at) => [letter, imitated.charAt(at)]));

/**
 * A word of Latin letters and letters that imitate them, as the Latin word; `text` is lower case. Only safe where Latin letters
 * stand beside them and the whole becomes plain: a word that is all Russian or Greek is left as it is.
 */
export function foldMixedScripts(text: string): string {
  return text.replace(/\S+/g, (word) => {
    if (!/[a-z]/.test(word)) return word;
    const folded = [...word].map((letter) => latin.get(letter) ?? letter).join('');
    return /^[\x21-\x7e]+$/.test(folded) ? folded : word;
  });
}
