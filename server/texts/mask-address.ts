/** `c•••@gmail.com`. Always three dots, to hide the length. Enough to recognize somebody, and not enough to write to them. */
export function maskedAddress(email: string): string {
  const atIndex = email.lastIndexOf('@');
  const [firstCharacter = ''] = email;
  return `${atIndex > 0 ? firstCharacter : ''}•••${atIndex < 0 ? '' : email.slice(atIndex)}`;
}
