import { expect, onTestFinished, test, vi } from 'vitest';
import { runLanes } from './run-lanes.ts';
import { emptyTally } from './tally.ts';
import { chainsOf, type Part } from './test-parts.ts';

/** Parts that end one by one, by title. */
function parts(titles: string[]) {
  vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const begun: string[] = [];
  const ends = new Map(titles.map((title) => [title, Promise.withResolvers<void>()]));
  const part = (title: string): Part => ({
    title,
    minutes: 1,
    run: async () => {
      begun.push(title);
      await ends.get(title)?.promise;
      return emptyTally();
    },
  });
  return { begun, end: (title: string) => ends.get(title)?.resolve(), list: titles.map(part) };
}

test('a lane takes the next chain of parts when it is free, and the parts of a chain run one after the other', async () => {
  const { begun, end, list } = parts(['one', 'two', 'three', 'four', 'after four']);
  const ran = runLanes([...list.slice(0, 3).map((part) => [part]), list.slice(3)]);
  expect(begun).toEqual(['one', 'two', 'three']);
  end('two');
  await vi.waitFor(() => expect(begun).toEqual(['one', 'two', 'three', 'four']));
  end('one');
  end('three');
  await new Promise(setImmediate);
  expect(begun).toHaveLength(4);
  end('four');
  await vi.waitFor(() => expect(begun.at(-1)).toBe('after four'));
  end('after four');
  expect((await ran).map(({ part }) => part.title)).toEqual(['two', 'one', 'three', 'four', 'after four']);
});

test('no part begins once the tests are ending', async () => {
  const { begun, end, list } = parts(['one', 'two']);
  let isEnding = false;
  const ran = runLanes([list], () => isEnding);
  isEnding = true;
  end('one');
  await ran;
  expect(begun).toEqual(['one']);
});

test('parts on the host are one chain or all parts are, and a part that waits comes first, then the longest', () => {
  const { list } = parts(['one', 'two', 'three', 'four']);
  const [one, two, three, four] = list as [Part, Part, Part, Part];
  const chains = chainsOf([
    { ...one, onHost: true },
    { ...two, minutes: 9 },
    { ...three, onHost: true },
    { ...four, waits: true },
  ]);
  const titles = chains.map((chain) => chain.map(({ title }) => title));
  expect([[['four'], ['two'], ['one', 'three']], [['one', 'two', 'three', 'four']]]).toContainEqual(titles);
});
