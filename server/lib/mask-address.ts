/**
 * An address as a stranger may read it: `c•••@gmail.com`. Always three dots, so that the length of the name says nothing. It is enough to know
 * somebody again, and not enough to write to them.
 */
export function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${at > 0 ? first : ''}•••${at < 0 ? '' : email.slice(at)}`;
}
