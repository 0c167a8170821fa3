import { expect, it } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { registryInMemory } from '../../testing/windows-registry.ts';
import { optionsKey } from './deny-starts.ts';
import { lastingDenials } from './lasting-denials.ts';

const anyDesk = `${optionsKey}\\AnyDesk.exe`;
const foreign = `${optionsKey}\\Foreign.exe`;

function computer() {
  const [registry, clock] = [registryInMemory(), manualClock()];
  const state = { changed: false, watched: [] as string[], closed: false, givenUp: 0, asked: 0 };
  registry.write(foreign, 'GlobalFlag', 1);
  const denials = lastingDenials({
    ...{ registry, command: 'us --blocked', after: clock.after },
    givenUp: () => void state.givenUp++,
    watchKeys(keys) {
      state.watched.push(...keys);
      return {
        changed() {
          state.asked++;
          const { changed } = state;
          state.changed = false;
          return changed;
        },
        close: () => void (state.closed = true),
      };
    },
  });
  const remove = (key: string) => {
    registry.removeKey(key);
    state.changed = true;
    clock.advance(1000);
  };
  const isDenied = () => registry.read(anyDesk, 'Debugger') === 'us --blocked';
  return { registry, clock, state, denials, remove, isDenied };
}

it('[P12.7] an entry that somebody removes is written again within a second, and a foreign entry is not', () => {
  const { registry, state, denials, remove, isDenied } = computer();
  denials.deny(['AnyDesk.exe']);
  denials.deny(['AnyDesk.exe']);
  expect([state.watched, isDenied()]).toEqual([[optionsKey], true]);
  remove(anyDesk);
  remove(foreign);
  expect([isDenied(), registry.values(foreign)]).toEqual([true, []]);
});

it('of a thousand removals twenty are undone, and then the log says so once, until the next list', () => {
  const { state, denials, remove, isDenied } = computer();
  denials.deny(['AnyDesk.exe']);
  for (let removal = 0; removal < 1000; removal++) remove(anyDesk);
  expect([isDenied(), state.givenUp]).toEqual([false, 1]);
  denials.deny(['AnyDesk.exe']);
  remove(anyDesk);
  expect([isDenied(), state.givenUp]).toEqual([true, 1]);
});

it('what is no longer denied does not come back, and after the end nothing is written or asked', () => {
  const { registry, clock, state, denials, remove, isDenied } = computer();
  denials.deny(['AnyDesk.exe']);
  denials.deny([]);
  remove(foreign);
  expect(isDenied()).toBe(false);
  denials.deny(['AnyDesk.exe']);
  denials.end();
  const asked = state.asked;
  registry.removeKey(anyDesk);
  state.changed = true;
  clock.advance(60_000);
  expect([isDenied(), state.closed, state.asked]).toEqual([false, true, asked]);
});
