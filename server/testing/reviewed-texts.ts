import { expect } from 'vitest';
import { people } from './read-aloud.ts';

export type Reader = 'the holder' | 'the guardian';
export type User = keyof typeof people;
/** A case, who reads its message, and the users of the computer; without users all of them. */
export type Row<C extends string> = [of: C, reader: Reader, ...users: User[]];

/**
 * Compares the messages with `texts/NAME.txt` beside the test, where equal messages are one section. After a change of words
 * `npx vitest run TEST -u` writes the file: read its diff aloud.
 */
export async function expectReviewedTexts<C extends string>(
  name: string,
  rows: Row<C>[],
  messageOf: (of: C, user: User, reader: Reader) => string,
): Promise<void> {
  const sections = new Map<string, string[]>();
  for (const [of, reader, ...users] of rows)
    for (const user of users.length ? users : (Object.keys(people) as User[])) {
      const message = messageOf(of, user, reader);
      sections.set(message, [...(sections.get(message) ?? []), `# ${of}: for ${reader}, on a computer used by ${user}`]);
    }
  const text = [...sections].map(([message, heads]) => `${heads.join('\n')}\n${message}\n`).join('\n');
  await expect(text).toMatchFileSnapshot(`./texts/${name}.txt`);
}
