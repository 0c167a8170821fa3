import { expect, test } from 'vitest';
import { parts, stagesOf } from './test-parts.ts';

const titlesOf = (cores: number, namespaces: boolean) =>
  stagesOf(parts, cores, namespaces).map((lanes) => lanes.map((lane) => lane.map(({ title }) => title)));
const [packages, byUrl, screens, agent, story] = parts.map(({ title }) => title);

test('on two cores the screens and the tests with an agent in a browser run next to each other, after the packages', () => {
  expect(titlesOf(2, true)).toEqual([[[packages, byUrl]], [[screens], [agent, story]]]);
});

test('with more cores everything runs next to each other', () => {
  expect(titlesOf(4, true)).toEqual([[[packages, byUrl], [screens], [agent, story]]]);
});

test('without namespaces, where two agents would disturb each other, all parts run one after the other', () => {
  expect(titlesOf(8, false)).toEqual([[[packages, byUrl, screens, agent, story]]]);
});
