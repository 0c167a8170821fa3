import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('each reviewed text is compared by a test of this folder, and each compared text is there', () => {
  const folder = import.meta.dirname;
  const tests = readdirSync(folder).filter((file) => file.endsWith('.test.ts'));
  const compared = tests.flatMap((file) =>
    [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/expectReviewedTexts(?:<[^>]*>)?\(\s*'([\w-]+)'/g)].map(
      ([, name]) => `${name}.txt`,
    ),
  );
  expect(readdirSync(`${folder}/texts`).toSorted()).toEqual(compared.toSorted());
});
