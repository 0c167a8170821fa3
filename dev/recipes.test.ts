// Tier: whole. It compiles and tests a copy of the tree.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRecipeTree, type RecipeTree, recipeStep } from './recipe-tree.ts';

/**
 * The short recipes of CONTRIBUTING.md, followed in a copy of the sources. `npm run drills recipes` follows the longer ones, of a new
 * endpoint and a new screen.
 */

let tree: RecipeTree;
beforeAll(async () => {
  tree = await openRecipeTree();
});
afterAll(() => tree.remove());

test('the recipe of a new detector is complete: a file with a pure function and a table test, run by its folder', () => {
  const files = ['example.ts', 'example.test.ts'].map((name) => `protection/detectors/${name}`);
  tree.write(`agent/${files[0]}`, recipeStep('detector.ts.txt'));
  tree.write(`agent/${files[1]}`, recipeStep('detector.test.ts.txt'));
  // No other file imports these, so they change the types of no other.
  expect(tree.types('agent', files)).toBe('');
  const { code, output } = tree.vitest('agent', 'protection/detectors/example');
  expect(output).toMatch(/Tests +2 passed/);
  expect(code).toBe(0);
});

test('the recipe of a new definition is complete: the check says what is wrong with the file, and accepts it once it is right', () => {
  const file = 'definitions/catalogue/acme-control.json';
  const definition = {
    identifier: 'acme-control',
    name: 'Acme Control',
    category: 'RemoteControl',
    allowlistable: true,
    programs: { names: [{ os: 'windows', name: 'AcmeControlHost.exe' }] },
    help: {
      what_it_is: 'Acme Control lets someone else see and use this computer from far away.',
      what_to_do: 'If someone on the phone asked for it, hang up. Do not call back the number they gave you.',
    },
  };
  const check = () => tree.run('definitions/cli/main.ts', 'check');
  tree.write(file, JSON.stringify(definition));
  const wrong = check();
  expect(wrong.output).toContain('acme-control');
  expect(wrong.code).toBe(1);
  tree.write(file, JSON.stringify({ ...definition, sources: [{ name: 'The vendor’s page about Acme Control', facts: ['names'] }] }));
  const right = check();
  expect(right.output).toContain('nothing is wrong');
  expect(right.code).toBe(0);
});
