import { foldMixedScripts, unseen } from './fold-look-alikes.ts';

const plain = /^[\x20-\x7e]*$/;

/** Ends of a file name that say how a program is packed, not which one it is. Tools show Windows names with and without `.exe`. */
const packing = /(\.(exe|msi|msix|appx|app|dmg|pkg|deb|rpm|appimage))+$/;

/**
 * The one spelling in which marks are compared: upper before lower, so that letters with two lower forms meet; full-width letters
 * as the ordinary ones; without what nobody can see; and letters of two scripts in one word as the Latin ones that they imitate.
 */
export function fold(text: string): string {
  if (plain.test(text)) return text.trim().replace(/ {2,}/g, ' ').toLowerCase();
  // Twice: brands are taken away before they become letters, and some spellings of nothing become another one.
  const seen = foldCase(text.replace(unseen, '').normalize('NFKC').replace(unseen, '')).normalize('NFKC');
  return foldMixedScripts(seen).replace(/\s+/g, ' ').trim();
}

/** Lower before upper too: `ẞ` has no upper form of its own, but its lower one has (`SS`). */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase();
}

/** A file name as it is compared: `.exe` and the ends of installers are left out on every system. */
export function foldName(name: string): string {
  const folded = fold(name);
  const bare = folded.replace(packing, '').trimEnd();
  return bare === '' ? folded : bare;
}

/** OriginalFilename as it is compared: Windows' own programs name their table of texts, `msra.exe.mui`. */
export function foldOriginal(name: string): string {
  return foldName(fold(name).replace(/\.mui$/, ''));
}

const legalForms = new Set(
  `inc incorporated llc ltd limited corp corporation co company gmbh ag kg ug bv nv sa sas sarl srl spa sl oy ab as aps pte pty pvt plc lp llp
  ltda eireli sro kft doo ooo`.split(/\s+/),
);

/**
 * A maker or signer as it is compared: without commas and full stops, and without the legal form at the end, which the same firm
 * writes in three ways. What would be left of `IT Co., Ltd.` says nothing, so a short rest keeps its form.
 */
export function foldMaker(name: string): string {
  const folded = fold(name);
  const words = folded
    .replace(/[.,"']/g, ' ')
    .replace(/(?<![^ ])[a-z](?: +[a-z](?![^ ]))+/g, (letters) => letters.replaceAll(' ', ''))
    .split(' ')
    .filter((word) => word !== '');
  let end = words.length;
  while (end > 1 && legalForms.has(words[end - 1] ?? '')) end -= 1;
  const bare = words.slice(0, end).join(' ');
  return bare.length < 5 ? words.join(' ') : bare;
}

/** A host as it is compared: lower case, without the dot at the end that some resolvers write. */
export function foldHost(host: string): string {
  return host.normalize('NFC').trim().toUpperCase().toLowerCase().replace(/\.$/, '');
}
