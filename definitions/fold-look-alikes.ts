/** Invisible and direction-changing characters, and trademark signs. */
export const invisibleCharacters = /[\p{Default_Ignorable_Code_Point}\u00ae\u2122\u00a9]/gu;

/** Lower-case Cyrillic and Greek letters that resemble Latin letters. The next line has the Latin letters. */
const lookAlikes = 'авекмнорстухѕіјԁԛԝһӏѵαβεικορτυχ';
const latinCharacters = 'abekmhopctyxsijdqwhlvabeikoptyx';
const latin = new Map(lookAlikes.split('').map((character, index) => [character, latinCharacters.charAt(index)]));

/** `text` is lower case. Only words with Latin letters that become plain ASCII change: an all-Cyrillic or all-Greek word stays. */
export function foldMixedScripts(text: string): string {
  return text.replace(/\S+/g, (word) => {
    if (!/[a-z]/.test(word)) return word;
    const foldedWord = word.replace(/[^\x21-\x7e]/gu, (character) => latin.get(character) ?? character);
    return /^[\x21-\x7e]+$/.test(foldedWord) ? foldedWord : word;
  });
}
