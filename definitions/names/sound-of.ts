/** Shorter words sound like many others. */
export const shortest_sound = 6;
export const sound_start = 4;

/** The consonants of a word as they sound: `trezor`, `treizorr` and `tresor` are `trsr`. */
export const soundOf = (text: string) =>
  text
    .replace(/[^a-z]/g, '')
    .replace(/ck|[qc]/g, 'k')
    .replaceAll('z', 's')
    .replace(/(?!^)[aeiouyhw]/g, '')
    .replace(/(.)\1+/g, '$1');
