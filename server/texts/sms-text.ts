/** Length of an SMS that is not split (3GPP TS 23.038). */
export const smsLength = 160;

/** The GSM 7-bit default alphabet, and its extension, whose characters count twice. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('\f^{}\\[~]|€');

/** Null if a character is outside GSM-7, which would limit the SMS to 70 characters. */
export function gsmLength(text: string): number | null {
  let length = 0;
  for (const character of text) {
    if (basic.has(character)) length += 1;
    else if (extended.has(character)) length += 2;
    else return null;
  }
  return length;
}

export function fitsOneSms(text: string): boolean {
  const length = gsmLength(text);
  return length !== null && length > 0 && length <= smsLength;
}

const nearest: Record<string, string> = { '‘': "'", '’': "'", '“': '"', '”': '"', '–': '-', '—': '-', '…': '...', ç: 'c', '\u00a0': ' ' };

/** Converts to GSM-7: drops accents (`Zoë` becomes `Zoe`), and replaces other characters by `?`. */
export function inGsm(text: string): string {
  return Array.from(text.normalize('NFC'), characterInGsm).join('');
}

function characterInGsm(original: string): string {
  if (gsmLength(original) !== null) return original;
  const plain = nearest[original] ?? original.normalize('NFKD').replace(/\p{M}/gu, '');
  return gsmLength(plain) !== null ? plain : '?';
}

export function shortInGsm(name: string, max: number): string {
  const text = inGsm(name);
  return (gsmLength(text) ?? 0) <= max ? text : `${cut(text, max - 2).trimEnd()}..`;
}

/** Long `facts` are cut: a short warning is better than none. `sentences`: as far as it fits. */
export function oneSmsFrom(facts: string, ...sentences: (string | null)[]): string {
  let text = cut(inGsm(facts), smsLength);
  for (const sentence of sentences) {
    const longerText = sentence === null ? text : `${text} ${inGsm(sentence)}`;
    if (fitsOneSms(longerText)) text = longerText;
  }
  return text;
}

function cut(text: string, max: number): string {
  let result = '';
  for (const original of text) {
    if ((gsmLength(result + original) ?? 0) > max) break;
    result += original;
  }
  return result;
}
