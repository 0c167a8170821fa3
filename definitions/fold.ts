/** The one spelling in which marks are compared: upper before lower, so that letters with two lower forms meet. */
export function fold(text: string): string {
  return text.normalize('NFC').trim().toUpperCase().toLowerCase();
}

/** A file name as it is compared: `.exe` is left out on every system, because tools show Windows names with and without it. */
export function foldName(name: string): string {
  return fold(name).replace(/\.exe$/, '');
}

/** A host as it is compared: lower case, without the dot at the end that some resolvers write. */
export function foldHost(host: string): string {
  return fold(host).replace(/\.$/, '');
}
