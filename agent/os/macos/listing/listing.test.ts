import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readPlist } from '../../../lib/plist.ts';
import { temporaryFolder } from '../../../testing/agent.ts';
import { macListing } from './listing.ts';
import { macReaders } from './readers.ts';

const plistXml = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0"><dict>${content}</dict></plist>\n`;
const plistEntries = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
    .join('\n\t');

async function mac(files: Record<string, string | Uint8Array>) {
  const root = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const resolvePath = (path: string) => (path.startsWith(root) ? path : join(root, path));
  const listing = await macListing({
    entriesIn: async (folder) => (await readdir(resolvePath(folder)).catch(() => [])).sort().map((name) => join(resolvePath(folder), name)),
    bytes: (path) => readFile(resolvePath(path)).catch(() => null),
    program: async () => ({ team_id: 'KU6W3B6JMZ' }),
    people: [{ user: 'ann', folder: '/Users/ann' }],
  });
  return { listing, at: resolvePath };
}
const stamp = expect.stringMatching(/^\d+:\d+:\d+$/);

it('[P4.1] the macOS listing contains app bundles, system-wide and per user, and installer receipts', async () => {
  const info = {
    CFBundleIdentifier: 'com.philandro.anydesk',
    CFBundleName: 'AnyDesk',
    CFBundleExecutable: 'AnyDesk',
    CFBundleShortVersionString: '9.1',
  };
  const { listing, at } = await mac({
    'Applications/AnyDesk.app/Contents/Info.plist': plistXml(plistEntries(info)),
    'Applications/AnyDesk.app/Contents/MacOS/AnyDesk': 'x',
    'Applications/Maker/Tool.app/Contents/Info.plist': 'broken',
    'Users/ann/Applications/Bad.app/Contents/Info.plist': plistXml(plistEntries({ CFBundleExecutable: '../../../x' })),
    'var/db/receipts/com.teamviewer.teamviewer.plist': plistXml(
      plistEntries({ PackageIdentifier: 'com.teamviewer.teamviewer', PackageVersion: '15' }),
    ),
    'var/db/receipts/x.bom': '',
  });
  expect(listing.programs).toEqual([
    {
      ...{ name: 'AnyDesk', path: at('/Applications/AnyDesk.app'), bundle_id: 'com.philandro.anydesk', version: '9.1' },
      files: [{ path: at('/Applications/AnyDesk.app/Contents/MacOS/AnyDesk'), stamp }],
    },
    { name: 'Bad', path: at('/Users/ann/Applications/Bad.app') },
    { name: 'Tool', path: at('/Applications/Maker/Tool.app') },
    { name: 'com.teamviewer.teamviewer', bundle_id: 'com.teamviewer.teamviewer', package: 'pkgutil', version: '15' },
  ]);
});

it('[P4.1] the macOS listing contains launchd daemons as services and launchd agents as start-up entries', async () => {
  const job = '<key>ProgramArguments</key><array><string>/Applications/Any Desk.app/x</string><string>--service</string></array>';
  const { listing, at } = await mac({
    'Library/LaunchDaemons/com.anydesk.plist': plistXml(
      `<key>Label</key><string>com.anydesk.service</string>${job}<key>RunAtLoad</key><true/>`,
    ),
    'Library/LaunchDaemons/off.plist': plistXml(`${job}<key>Disabled</key><true/>`),
    'Users/ann/Library/LaunchAgents/own.plist': plistXml(plistEntries({ Program: '/Users/ann/x' })),
  });
  expect(listing.services).toEqual([{ name: 'com.anydesk.service', path: '"/Applications/Any Desk.app/x" --service' }]);
  expect(listing.start_up).toEqual([
    { name: 'own', command: '/Users/ann/x', place: { file: at('/Users/ann/Library/LaunchAgents/own.plist') } },
  ]);
});

it('[P4.1] the macOS listing contains downloads, with the team ID of possible programs', async () => {
  const { listing, at } = await mac({ 'Users/ann/Downloads/AnyDesk.dmg': 'x', 'Users/ann/Downloads/letter.pdf': 'x' });
  expect(listing.downloads).toEqual([
    { name: 'AnyDesk.dmg', path: at('/Users/ann/Downloads/AnyDesk.dmg'), stamp, team_id: 'KU6W3B6JMZ' },
    { name: 'letter.pdf', path: at('/Users/ann/Downloads/letter.pdf'), stamp },
  ]);
});

it('a binary property list is read', () => {
  // A dictionary with four keys, UTF-16 text and a two-byte number.
  const objects: Buffer[] = [
    Buffer.from([0xd4, 1, 2, 3, 4, 5, 6, 7, 8]),
    ...['Label', 'On', 'Args', 'N'].map((text) => Buffer.concat([Buffer.from([0x50 + text.length]), Buffer.from(text)])),
    Buffer.concat([Buffer.from([0x5f, 0x10, 17]), Buffer.from('com.anydesk.agent')]),
    Buffer.from([0x09]),
    Buffer.from([0xa1, 9]),
    Buffer.from([0x11, 0x01, 0x2c]),
    Buffer.from([0x61, 0x00, 0xfc]),
  ];
  const offsets: number[] = [];
  let offset = 8;
  for (const object of objects) {
    offsets.push(offset);
    offset += object.length;
  }
  const trailer = Buffer.alloc(32);
  trailer.writeUInt8(1, 6);
  trailer.writeUInt8(1, 7);
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(0n, 16);
  trailer.writeBigUInt64BE(BigInt(offset), 24);
  const bytes = Buffer.concat([Buffer.from('bplist00'), ...objects, Buffer.from(offsets), trailer]);
  expect(readPlist(bytes)).toEqual({ Label: 'com.anydesk.agent', On: true, Args: ['ü'], N: 300 });
  // Now the dictionary contains itself.
  bytes.writeUInt8(0, 8 + 5);
  expect(readPlist(bytes)).toEqual({});
  for (let length = 0; length < bytes.length; length++) expect(typeof readPlist(bytes.subarray(0, length))).toBe('object');
});

it.each([
  ['<plist><dict><key>a</key><string>b &amp; &#x63;</string><key>n</key><integer>5</integer></dict></plist>', { a: 'b & c', n: 5 }],
  ['<dict><key>e</key><array/><key>d</key><dict></dict><key>f</key><false></false></dict>', { e: [], d: {}, f: false }],
  ['<plist><array><string>x</string></array></plist>', {}],
  ['<dict><key>a</key>', {}],
  ['not at all', {}],
  ['', {}],
])('the property list %j is parsed', (text, expected) => expect(readPlist(Buffer.from(text))).toEqual(expected));

const binaryList = (objects: number[][]) => {
  const offsets = objects.map((_, n) => 8 + objects.slice(0, n).flat().length);
  const trailer = Buffer.alloc(32);
  trailer.writeUInt8(2, 6);
  trailer.writeUInt8(1, 7);
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(8 + objects.flat().length), 24);
  return Buffer.concat([
    Buffer.from('bplist00'),
    Buffer.from(objects.flat()),
    Buffer.from(offsets.flatMap((at) => [at >> 8, at & 255])),
    trailer,
  ]);
};

it('parsing stops when each array of a binary property list contains the next one twice', () => {
  const arrays = Array.from({ length: 40 }, (_, n) => [0xa2, n + 1, n + 1]);
  // The root is the dictionary {'a': first array}.
  const rootedObjects = [
    [0xd1, 1, 2],
    [0x51, 0x61],
    ...arrays.map(([marker, next]) => [marker ?? 0, (next ?? 0) + 2, (next ?? 0) + 2]),
    [0x09],
  ];
  expect(readPlist(binaryList(rootedObjects))).toEqual({});
  expect(readPlist(binaryList([[0xd1, 1, 2], [0x51, 0x61], [0xa2, 3, 3], [0x09]]))).toEqual({ a: [true, true] });
});

it('parsing stops when a binary property list repeats one long string many times', () => {
  const text = [0x5f, 0x11, 0x40, 0, ...Array<number>(0x4000).fill(0x78)];
  const listWithRepeats = (repeatCount: number) =>
    binaryList([
      [0xd1, 1, 2],
      [0x51, 0x61],
      [0xaf, 0x11, repeatCount >> 8, repeatCount & 255, ...Array<number>(repeatCount).fill(3)],
      text,
    ]);
  expect(readPlist(listWithRepeats(0x1000))).toEqual({});
  expect(readPlist(listWithRepeats(2))).toEqual({ a: ['x'.repeat(0x4000), 'x'.repeat(0x4000)] });
});

it.each(['<!--', '<?', '<plist', '<a ', '&#x', '<dict><key>a</key>'])(
  'a property list with a megabyte of %j is parsed in one pass and yields nothing',
  (text) => {
    // Repeated passes would take minutes, during which the agent protects nothing.
    expect(readPlist(Buffer.from(`<plist><dict>${text.repeat(1_000_000 / text.length)}`))).toEqual({});
  },
);

it('the readers return the users of a Mac, and the signer, team ID and hash of a program', async () => {
  const usersFolder = await temporaryFolder();
  for (const name of ['ann', 'bob', 'Shared', '.localized']) await mkdir(join(usersFolder, name));
  await writeFile(join(usersFolder, 'ann', 'x.dmg'), 'abc');
  const readMetadata = (path: string) => ({ os: 'macos' as const, name: 'x.dmg', path, team_id: 'KU6W3B6JMZ' });
  const readers = await macReaders(true, readMetadata, usersFolder);
  expect(readers.people.map(({ user }) => user)).toEqual(['ann', 'bob']);
  expect(await readers.entriesIn(join(usersFolder, 'ann'))).toEqual([join(usersFolder, 'ann', 'x.dmg')]);
  expect(await readers.program(join(usersFolder, 'ann', 'x.dmg'))).toEqual({
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    team_id: 'KU6W3B6JMZ',
  });
  expect(await readers.program(join(usersFolder, 'nothing'))).toEqual({});
});

it('of a user’s lists on a Mac, neither a huge one nor a link out of the home is read', async () => {
  const usersFolder = await temporaryFolder();
  for (const name of ['ann', 'bob']) await mkdir(join(usersFolder, name));
  await writeFile(join(usersFolder, 'bob', 'a.plist'), 'abc');
  await writeFile(join(usersFolder, 'ann', 'huge.plist'), 'x'.repeat(300_000));
  await symlink(join(usersFolder, 'bob', 'a.plist'), join(usersFolder, 'ann', 'b.plist'));
  await symlink('c.plist', join(usersFolder, 'ann', 'd.plist'));
  await writeFile(join(usersFolder, 'ann', 'c.plist'), 'own');
  const readers = await macReaders(true, (path) => ({ os: 'macos', name: path }), usersFolder);
  const read = async (name: string) => (await readers.bytes(join(usersFolder, 'ann', name)))?.toString() ?? null;
  expect(await Promise.all(['huge.plist', 'b.plist', 'd.plist'].map(read))).toEqual([null, null, 'own']);
});
