import { expect, test } from 'vitest';
import { namesDrill } from './names.ts';

test('whatever is sent to the port of names is read within its bounds, and what we answer can be read', () => {
  const counts: string[] = [];
  expect(namesDrill(8, (line) => counts.push(line))).toEqual([]);
  expect(counts).toHaveLength(2);
});
