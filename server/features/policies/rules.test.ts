import { fixedPolicies } from '@porchlight/contract/policies.ts';
import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import { expect, test } from 'vitest';
import { descriptionOf, nameTaken } from './rules.ts';

const table: [remote: PolicyAction, deceptive: PolicyAction, site: PolicyAction, words: string][] = [
  ['block', 'block', 'block', 'Stops remote-control programs, deceptive programs, and scam websites.'],
  ['block', 'block', 'alert', 'Stops remote-control programs and deceptive programs. Tells you about scam websites.'],
  ['block', 'block', 'ignore', 'Stops remote-control programs and deceptive programs. Leaves scam websites alone.'],
  ['block', 'alert', 'block', 'Stops remote-control programs and scam websites. Tells you about deceptive programs.'],
  ['block', 'alert', 'alert', 'Stops remote-control programs. Tells you about deceptive programs and scam websites.'],
  ['block', 'ignore', 'alert', 'Stops remote-control programs. Leaves deceptive programs alone. Tells you about scam websites.'],
  ['alert', 'block', 'block', 'Tells you about remote-control programs. Stops deceptive programs and scam websites.'],
  ['alert', 'alert', 'alert', 'Tells you about remote-control programs, deceptive programs, and scam websites.'],
  ['alert', 'alert', 'block', 'Tells you about remote-control programs and deceptive programs. Stops scam websites.'],
  ['ignore', 'block', 'ignore', 'Leaves remote-control programs and scam websites alone. Stops deceptive programs.'],
  ['ignore', 'ignore', 'ignore', 'Leaves remote-control programs, deceptive programs, and scam websites alone.'],
];
test.each(table)(
  'a profile with remote control: %s, deceptive: %s, websites: %s has a description of all three',
  (remote, deceptive, site, expectedDescription) => {
    expect(descriptionOf({ RemoteControl: remote, DeceptiveUtility: deceptive, ScamWebsite: site })).toBe(expectedDescription);
  },
);

test('the two fixed profiles describe what they do about websites', () => {
  for (const { description, actions } of Object.values(fixedPolicies)) {
    expect(actions.ScamWebsite).toBe('block');
    expect(description).toMatch(/^Stops .*scam websites\.|Stops scam websites\.$/);
  }
});

test.each([
  ['Quiet', ['Loud'], false],
  ['Quiet', ['quIET'], true],
  ['ÉTÉ', ['été'], true],
  // The same letters as composed and as decomposed Unicode characters.
  ['\u00c9t\u00e9', ['e\u0301te\u0301'], true],
  ['Strict', [], true],
  ['pERMISSIVE', [], true],
  ['Strict too', [], false],
] as const)('whether the profile name %s is taken beside the profiles %j: %s', (name, others, isTaken) => {
  const otherNames = others.map((other) => ({ name: other, same: false }));
  expect(nameTaken(name, otherNames)).toBe(isTaken);
});

test('a name that the database considers equal is taken', () => {
  expect(nameTaken('Quiet', [{ name: 'something else', same: true }])).toBe(true);
});
