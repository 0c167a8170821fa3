import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import { expect, test } from 'vitest';
import { descriptionOf, nameTaken } from './rules.ts';

const table: [remote: PolicyAction, deceptive: PolicyAction, words: string][] = [
  ['block', 'block', 'Stops remote-control and deceptive programs.'],
  ['block', 'alert', 'Stops remote-control programs. Tells you about deceptive programs.'],
  ['block', 'ignore', 'Stops remote-control programs. Leaves deceptive programs alone.'],
  ['alert', 'block', 'Tells you about remote-control programs. Stops deceptive programs.'],
  ['alert', 'alert', 'Tells you about remote-control and deceptive programs.'],
  ['alert', 'ignore', 'Tells you about remote-control programs. Leaves deceptive programs alone.'],
  ['ignore', 'block', 'Leaves remote-control programs alone. Stops deceptive programs.'],
  ['ignore', 'alert', 'Leaves remote-control programs alone. Tells you about deceptive programs.'],
  ['ignore', 'ignore', 'Leaves remote-control and deceptive programs alone.'],
];
test.each(table)('remote control: %s, deceptive: %s: the words say so, whatever is chosen for websites', (remote, deceptive, words) => {
  for (const site of ['block', 'alert', 'ignore'] as const) {
    expect(descriptionOf({ RemoteControl: remote, DeceptiveUtility: deceptive, ScamWebsite: site })).toBe(words);
  }
});

test.each([
  ['Quiet', ['Loud'], false],
  ['Quiet', ['quIET'], true],
  ['ÉTÉ', ['été'], true],
  // The same letter, written as one sign and as two.
  ['\u00c9t\u00e9', ['e\u0301te\u0301'], true],
  ['Strict', [], true],
  ['pERMISSIVE', [], true],
  ['Strict too', [], false],
] as const)('%s beside %j: taken is %s', (name, others, taken) => {
  const list = others.map((other) => ({ name: other, same: false }));
  expect(nameTaken(name, list)).toBe(taken);
});

test('what the database takes for the same name is taken', () => {
  expect(nameTaken('Quiet', [{ name: 'something else', same: true }])).toBe(true);
});
