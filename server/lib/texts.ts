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
export function fitsOneText(text: string): boolean {
  const length = gsmLength(text);
  return length !== null && length > 0 && length <= oneText;
}
