/** What one text message holds without being split (3GPP TS 23.038). */
export const oneText = 160;

/** The GSM 7-bit default alphabet, and the characters of its extension, which count twice. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('\f^{}\\[~]|€');

/** How much of a text message this takes, of 160; null when a character is outside GSM-7, which would leave room for only 70. */
export function gsmLength(text: string): number | null {
  let length = 0;
  for (const character of text) {
    if (basic.has(character)) length += 1;
    else if (extended.has(character)) length += 2;
    else return null;
  }
  return length;
}

/** One text message, at most; each that we send is tested with this. */
export function fitsOneSms(text: string): boolean {
  const length = gsmLength(text);
  return length !== null && length > 0 && length <= oneText;
}

/** What people write and GSM-7 has not, in its nearest form. */
const nearest: Record<string, string> = { '‘': "'", '’': "'", '“': '"', '”': '"', '–': '-', '—': '-', '…': '...', ç: 'c', '\u00a0': ' ' };

/** A text in GSM-7 alone: accents it lacks are left off (`Zoë` is `Zoe`), what has no nearest form is `?`. */
export function inGsm(text: string): string {
  return Array.from(text.normalize('NFC'), letterInGsm).join('');
}

function letterInGsm(letter: string): string {
  if (gsmLength(letter) !== null) return letter;
  const plain = nearest[letter] ?? letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return gsmLength(plain) !== null ? plain : '?';
}

/** A name in GSM-7, cut to `max` characters of a text. */
export function shortInGsm(name: string, max: number): string {
  const text = inGsm(name);
  return (gsmLength(text) ?? 0) <= max ? text : `${cut(text, max - 2).trimEnd()}..`;
}

/** One text message: the facts, and of what follows whatever still fits. Facts that are too long are cut: a short warning is better than none. */
export function oneSmsFrom(facts: string, ...more: (string | null)[]): string {
  let text = cut(inGsm(facts), oneText);
  for (const part of more) {
    const longer = part === null ? text : `${text} ${inGsm(part)}`;
    if (fitsOneSms(longer)) text = longer;
  }
  return text;
}

function cut(text: string, max: number): string {
  let kept = '';
  for (const letter of text) {
    if ((gsmLength(kept + letter) ?? 0) > max) break;
    kept += letter;
  }
  return kept;
}
