import { expect, test } from 'vitest';
import { parsersDrill } from './parsers.ts';

test('the parsers of site lists, hosts and patterns handle any input, and accept no damaged list', async () => {
  expect(await parsersDrill(10)).toEqual([]);
});
