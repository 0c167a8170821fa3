/** Invisible and direction-changing characters, and trademark signs. */
const invisibleCharacters = /[\p{Default_Ignorable_Code_Point}\u00ae\u2122\u00a9]/gu;

/** Lower-case Cyrillic and Greek letters that resemble Latin letters. The next line has the Latin letters. */
const lookAlikes = 'авекмнорстухѕіјԁԛԝһӏѵαβεικορτυχ';
const latinCharacters = 'abekmhopctyxsijdqwhlvabeikoptyx';
const latin = new Map(lookAlikes.split('').map((character, index) => [character, latinCharacters.charAt(index)]));

/** `text` is lower case. Only words with Latin letters that become plain ASCII change: an all-Cyrillic or all-Greek word stays. */
function foldMixedScripts(text: string): string {
  return text.replace(/\S+/g, (word) => {
    if (!/[a-z]/.test(word)) return word;
    const foldedWord = word.replace(/[^\x21-\x7e]/gu, (character) => latin.get(character) ?? character);
    return /^[\x21-\x7e]+$/.test(foldedWord) ? foldedWord : word;
  });
}

/** Unicode's own limit for text that is composed in a stream (UAX 15): a longer run of marks belongs to no word, and takes quadratic time. */
const longRuns = /(\p{M}{30})\p{M}+/gu;

const asciiOnly = /^[\x20-\x7e]*$/;

const extension = String.raw`\.(?:exe|msi|msix|appx|app|dmg|pkg|deb|rpm|appimage)`;
/** Extensions left out of names: tools show Windows names with and without `.exe`. Only the first of several in a row begins a match. */
const installerExtensions = new RegExp(`(?<!${extension})(?:${extension})+$`);

/**
 * The spelling in which marks are compared: no case, full-width forms or invisible characters, and no look-alike letters in Latin words.
 * Case folds by way of upper case, so that letters with two lower-case forms match.
 */
export function fold(text: string): string {
  if (asciiOnly.test(text)) return text.trim().replace(/ {2,}/g, ' ').toLowerCase();
  // `invisibleCharacters` are removed twice: trademark signs before NFKC turns them into letters, then invisible characters that NFKC produces.
  const visibleText = foldCase(
    text.replace(invisibleCharacters, '').replace(longRuns, '$1').normalize('NFKC').replace(invisibleCharacters, ''),
  ).normalize('NFKC');
  return foldMixedScripts(visibleText).replace(/\s+/g, ' ').trim();
}

/**
 * `ẞ` has no upper-case form of its own, but its lower-case form has (`SS`). Turkish has an `İ` and an `ı`, and writes TEAMVİEWER: without the
 * dot that Unicode then leaves over an `i`, both are an `i` on every computer, whatever its language.
 */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('i\u0307', 'i');
}

/** Folds a file name without `.exe` and installer extensions, on every system. */
export function foldName(name: string): string {
  const foldedName = fold(name);
  const nameWithoutExtension = foldedName.replace(installerExtensions, '').trimEnd();
  return nameWithoutExtension === '' ? foldedName : nameWithoutExtension;
}

/** Folds an original file name. Windows' own programs give the name of their resource file: `msra.exe.mui`. */
export function foldOriginal(name: string): string {
  return foldName(fold(name).replace(/\.mui$/, ''));
}

const legalForms = new Set(
  `inc incorporated llc ltd limited corp corporation co company gmbh ag kg ug bv nv sa sas sarl srl spa sl oy ab as aps pte pty pvt plc lp llp
  ltda eireli sro kft doo ooo`.split(/\s+/),
);

/**
 * Folds a company's name without punctuation and legal form. A very short name keeps the legal form: `IT` from `IT Co., Ltd.` would
 * identify nobody.
 */
export function foldMaker(name: string): string {
  const foldedName = fold(name);
  const words = foldedName
    .replace(/[.,"']/g, ' ')
    .replace(/(?<![^ ])[a-z](?: +[a-z](?![^ ]))+/g, (initials) => initials.replaceAll(' ', ''))
    .split(' ')
    .filter((word) => word !== '');
  let end = words.length;
  while (end > 1 && legalForms.has(words[end - 1] ?? '')) end -= 1;
  const nameWithoutForm = words.slice(0, end).join(' ');
  return nameWithoutForm.length < 5 ? words.join(' ') : nameWithoutForm;
}

export function foldHost(host: string): string {
  return host.normalize('NFC').trim().toUpperCase().toLowerCase().replace(/\.$/, '');
}
