import { expect, test } from 'vitest';
import { parsersDrill } from './parsers.ts';

test('whatever a parser of sites is fed, it does not break, and takes no damaged list', async () => {
  expect(await parsersDrill(10)).toEqual([]);
});
