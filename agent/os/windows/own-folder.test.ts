import { describe, expect, test } from 'vitest';
import { ownFolder } from './own-folder.ts';

const [system, administrators, someone, folder, link] = ['S-1-5-18', 'S-1-5-32-544', 'S-1-5-21-1-2-3-1001', 0x10, 0x410];
const home = 'C:\\ProgramData\\Porchlight';

/** A disk with these things on it; `stuck`: nothing can be renamed. */
function disk(things: Record<string, { attributes: number; owner: string }>, { stuck = false, planted = 0 } = {}) {
  const all = new Map(Object.entries(things));
  const rights: string[] = [];
  let left = planted;
  const below = (path: string) => [...all.keys()].filter((one) => one === path || one.startsWith(`${path}\\`));
  return {
    all,
    rights,
    calls: {
      attributes: (path: string) => all.get(path)?.attributes ?? null,
      ownerOf: (path: string) => all.get(path)?.owner ?? null,
      me: () => system,
      createFolder(path: string, text: string) {
        // Somebody is quicker, again and again.
        if (left-- > 0) all.set(path, { attributes: folder, owner: someone });
        if (all.has(path)) return false;
        all.set(path, { attributes: folder, owner: system });
        rights.push(text);
        return true;
      },
      setRights: (_path: string, text: string) => rights.push(text) > 0,
      rename(from: string, to: string) {
        if (stuck || all.has(to) || to.slice(to.lastIndexOf('\\') + 1).length > 255) return false;
        for (const path of below(from)) {
          all.set(to + path.slice(from.length), all.get(path) ?? { attributes: 0, owner: '' });
          all.delete(path);
        }
        return true;
      },
    },
    namesIn: (path: string) => below(path).flatMap((one) => (one === path ? [] : one.slice(path.length + 1))),
    now: () => 7,
  };
}

describe('A9: the folder of the service', () => {
  test('is made with its rights in one step where there is none', () => {
    const on = disk({});
    expect(ownFolder(home, on)).toEqual({ moved: [], left: [] });
    expect([on.all.get(home)?.owner, on.rights]).toEqual([system, ['O:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)']]);
  });

  test.each([system, administrators])('that is %s’s stays with all that is in it, and is closed to everyone else again', (owner) => {
    const on = disk({ [home]: { attributes: folder, owner }, [`${home}\\data`]: { attributes: folder, owner: system } });
    expect(ownFolder(home, on)).toEqual({ moved: [], left: [] });
    expect([[...on.all.keys()], on.rights.length]).toEqual([[home, `${home}\\data`], 1]);
  });

  test.each([
    ['of somebody else', { attributes: folder, owner: someone }],
    ['that is a junction, whoever made it', { attributes: link, owner: system }],
    ['that is a file', { attributes: 0x20, owner: system }],
  ])('%s is moved aside with what is in it, and none of it is believed', (_what, planted) => {
    const on = disk({ [home]: planted, [`${home}\\state.key`]: { attributes: 0x20, owner: someone } });
    expect(ownFolder(home, on).moved).toEqual([`${home}.not-ours-7-0`]);
    expect([...on.all.keys()].toSorted()).toEqual([home, `${home}.not-ours-7-0`, `${home}.not-ours-7-0\\state.key`]);
    expect(on.all.get(home)).toEqual({ attributes: folder, owner: system });
  });

  test.each([someone, system])(
    'of ours has in it what others have planted: that is moved aside, and ours stays (a junction of %s)',
    (owner) => {
      const on = disk({
        [home]: { attributes: folder, owner: administrators },
        [`${home}\\data`]: { attributes: link, owner },
        [`${home}\\kept`]: { attributes: folder, owner: system },
      });
      expect(ownFolder(home, on).moved).toEqual([`${home}\\data.not-ours-7-0`]);
      expect([...on.all.keys()].toSorted()).toEqual([home, `${home}\\data.not-ours-7-0`, `${home}\\kept`]);
    },
  );

  test('is ours in the end also where somebody makes it just before us, and is refused where what is there cannot be moved', () => {
    const raced = disk({}, { planted: 2 });
    expect(ownFolder(home, raced).moved).toHaveLength(2);
    expect(raced.all.get(home)?.owner).toBe(system);
    expect(() => ownFolder(home, disk({ [home]: { attributes: link, owner: someone } }, { stuck: true }))).toThrow('cannot be moved aside');
    expect(() => ownFolder(home, disk({}, { planted: 99 }))).toThrow('cannot be made');
  });

  test('what was moved aside once stays there, however often the service starts, and a long name is no reason not to', () => {
    const long = `${home}\\${'x'.repeat(250)}`;
    const on = disk({
      [home]: { attributes: folder, owner: administrators },
      [`${home}\\data`]: { attributes: link, owner: someone },
      [long]: { attributes: 0x20, owner: someone },
    });
    expect(ownFolder(home, on).moved).toEqual([`${home}\\data.not-ours-7-0`, `${home}\\${'x'.repeat(100)}.not-ours-7-1`]);
    const after = [...on.all.keys()].toSorted();
    for (let start = 0; start < 3; start++) expect(ownFolder(home, on)).toEqual({ moved: [], left: [] });
    expect([...on.all.keys()].toSorted()).toEqual(after);
  });

  test('what cannot be moved and is read by nobody is left and named, and the service starts; what the service reads is refused', () => {
    const held = (name: string) =>
      disk(
        { [home]: { attributes: folder, owner: administrators }, [`${home}\\${name}`]: { attributes: 0x20, owner: someone } },
        { stuck: true },
      );
    expect(ownFolder(home, held('letter.txt'))).toEqual({ moved: [], left: [`${home}\\letter.txt`] });
    for (const name of ['data', 'Kept', 'agent.log', 'AGENT.LOG.OLD'])
      expect(() => ownFolder(home, held(name)), name).toThrow('cannot be moved aside');
  });
});
