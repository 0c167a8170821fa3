import { describe, expect, test } from 'vitest';
import { secureFolder } from './own-folder.ts';

const [system, administrators, someone, folder, link] = ['S-1-5-18', 'S-1-5-32-544', 'S-1-5-21-1-2-3-1001', 0x10, 0x410];
const serviceFolder = 'C:\\ProgramData\\Porchlight';

/** A simulated disk; `stuck`: renames fail. */
function disk(initialEntries: Record<string, { attributes: number; owner: string }>, { stuck = false, planted = 0 } = {}) {
  const all = new Map(Object.entries(initialEntries));
  const rights: string[] = [];
  let plantedLeft = planted;
  const pathsBelow = (path: string) => [...all.keys()].filter((one) => one === path || one.startsWith(`${path}\\`));
  return {
    all,
    rights,
    calls: {
      attributes: (path: string) => all.get(path)?.attributes ?? null,
      ownerOf: (path: string) => all.get(path)?.owner ?? null,
      me: () => system,
      createFolder(path: string, text: string) {
        // Another process creates the folder first.
        if (plantedLeft-- > 0) all.set(path, { attributes: folder, owner: someone });
        if (all.has(path)) return false;
        all.set(path, { attributes: folder, owner: system });
        rights.push(text);
        return true;
      },
      setRights: (_path: string, text: string) => rights.push(text) > 0,
      rename(from: string, to: string) {
        if (stuck || all.has(to) || to.slice(to.lastIndexOf('\\') + 1).length > 255) return false;
        for (const path of pathsBelow(from)) {
          all.set(to + path.slice(from.length), all.get(path) ?? { attributes: 0, owner: '' });
          all.delete(path);
        }
        return true;
      },
    },
    namesIn: (path: string) => pathsBelow(path).flatMap((one) => (one === path ? [] : one.slice(path.length + 1))),
    now: () => 7,
  };
}

describe('A9: the folder of the service', () => {
  test('a missing service folder is created together with its access rights', () => {
    const testDisk = disk({});
    expect(secureFolder(serviceFolder, testDisk)).toEqual({ moved: [], left: [] });
    expect([testDisk.all.get(serviceFolder)?.owner, testDisk.rights]).toEqual([system, ['O:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)']]);
  });

  test.each([system, administrators])(
    'a service folder owned by %s is reused with its contents, and its access rights are set again',
    (owner) => {
      const testDisk = disk({
        [serviceFolder]: { attributes: folder, owner },
        [`${serviceFolder}\\data`]: { attributes: folder, owner: system },
      });
      expect(secureFolder(serviceFolder, testDisk)).toEqual({ moved: [], left: [] });
      expect([[...testDisk.all.keys()], testDisk.rights.length]).toEqual([[serviceFolder, `${serviceFolder}\\data`], 1]);
    },
  );

  test.each([
    ['of somebody else', { attributes: folder, owner: someone }],
    ['that is a junction, whoever made it', { attributes: link, owner: system }],
    ['that is a file', { attributes: 0x20, owner: system }],
  ])('a service folder %s is moved aside with its contents and never read', (_folder, plantedFolder) => {
    const testDisk = disk({ [serviceFolder]: plantedFolder, [`${serviceFolder}\\state.key`]: { attributes: 0x20, owner: someone } });
    expect(secureFolder(serviceFolder, testDisk).moved).toEqual([`${serviceFolder}.not-ours-7-0`]);
    expect([...testDisk.all.keys()].toSorted()).toEqual([
      serviceFolder,
      `${serviceFolder}.not-ours-7-0`,
      `${serviceFolder}.not-ours-7-0\\state.key`,
    ]);
    expect(testDisk.all.get(serviceFolder)).toEqual({ attributes: folder, owner: system });
  });

  test.each([someone, system])('a junction of %s inside the service folder is moved aside and the other entries stay', (owner) => {
    const testDisk = disk({
      [serviceFolder]: { attributes: folder, owner: administrators },
      [`${serviceFolder}\\data`]: { attributes: link, owner },
      [`${serviceFolder}\\kept`]: { attributes: folder, owner: system },
    });
    expect(secureFolder(serviceFolder, testDisk).moved).toEqual([`${serviceFolder}\\data.not-ours-7-0`]);
    expect([...testDisk.all.keys()].toSorted()).toEqual([serviceFolder, `${serviceFolder}\\data.not-ours-7-0`, `${serviceFolder}\\kept`]);
  });

  test('creating the service folder is retried when someone else creates it first, and fails when their folder cannot be moved', () => {
    const racedDisk = disk({}, { planted: 2 });
    expect(secureFolder(serviceFolder, racedDisk).moved).toHaveLength(2);
    expect(racedDisk.all.get(serviceFolder)?.owner).toBe(system);
    expect(() => secureFolder(serviceFolder, disk({ [serviceFolder]: { attributes: link, owner: someone } }, { stuck: true }))).toThrow(
      'cannot be moved aside',
    );
    expect(() => secureFolder(serviceFolder, disk({}, { planted: 99 }))).toThrow('cannot be made');
  });

  test('an entry moved aside in the service folder is not moved again, and long names are shortened', () => {
    const longPath = `${serviceFolder}\\${'x'.repeat(250)}`;
    const testDisk = disk({
      [serviceFolder]: { attributes: folder, owner: administrators },
      [`${serviceFolder}\\data`]: { attributes: link, owner: someone },
      [longPath]: { attributes: 0x20, owner: someone },
    });
    expect(secureFolder(serviceFolder, testDisk).moved).toEqual([
      `${serviceFolder}\\data.not-ours-7-0`,
      `${serviceFolder}\\${'x'.repeat(100)}.not-ours-7-1`,
    ]);
    const pathsAfter = [...testDisk.all.keys()].toSorted();
    for (let round = 0; round < 3; round++) expect(secureFolder(serviceFolder, testDisk)).toEqual({ moved: [], left: [] });
    expect([...testDisk.all.keys()].toSorted()).toEqual(pathsAfter);
  });

  test('a foreign file in the service folder that cannot be moved is reported, and an error if the service would use it', () => {
    const stuckDisk = (name: string) =>
      disk(
        {
          [serviceFolder]: { attributes: folder, owner: administrators },
          [`${serviceFolder}\\${name}`]: { attributes: 0x20, owner: someone },
        },
        { stuck: true },
      );
    expect(secureFolder(serviceFolder, stuckDisk('letter.txt'))).toEqual({ moved: [], left: [`${serviceFolder}\\letter.txt`] });
    for (const name of ['data', 'Kept', 'agent.log', 'AGENT.LOG.OLD'])
      expect(() => secureFolder(serviceFolder, stuckDisk(name)), name).toThrow('cannot be moved aside');
  });
});
