import { expect, test } from 'vitest';
import { namesDrill } from './names.ts';

test('the DNS parser never reads past the end of a message, and our answers can be parsed', () => {
  const counts: string[] = [];
  expect(namesDrill(8, (line) => counts.push(line))).toEqual([]);
  expect(counts).toHaveLength(2);
});
