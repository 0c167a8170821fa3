import { appendFileSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marks, withMarkedFirst } from '../lib/marked-lines.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { hostsEntries, hostsReader, MAX_HOSTS_ENTRIES, readWhole, removeFromHosts, withoutEntries } from './doors.ts';

const isRoot = process.getuid?.() === 0;

describe('the entries of a hosts file', () => {
  it.each([
    ['one line with several names is several entries', '1.2.3.4 a.com  b.com\tc.com', ['1.2.3.4 a.com', '1.2.3.4 b.com', '1.2.3.4 c.com']],
    ['comments are none', '# 1.2.3.4 a.com\n1.2.3.4 b.com # c.com', ['1.2.3.4 b.com']],
    ['ends of lines of Windows are none', '1.2.3.4 a.com\r\n1.2.3.4 b.com\r\n', ['1.2.3.4 a.com', '1.2.3.4 b.com']],
    ['names are in lower case without the last dot', '1.2.3.4 WWW.Bank.COM.', ['1.2.3.4 www.bank.com']],
    ['addresses of IPv6 are in their short form', '2001:DB8:0:0::9 a.com', ['2001:db8::9 a.com']],
    ['a zone does not count', 'fe80::1%lo0 localhost', ['fe80::1 localhost']],
    ['an IPv4 address in IPv6 is that of IPv4', '::ffff:203.0.113.9 a.com', ['203.0.113.9 a.com']],
    ['a line without an address, or without a name, is none', 'a.com 1.2.3.4\n1.2.3.4\n1.2.3.400 b.com\n', []],
    ['a name after many spaces counts', `1.2.3.4 ${' '.repeat(20_000)}a.com`, ['1.2.3.4 a.com']],
    ['a repeated line counts once', '1.2.3.4 a.com\n1.2.3.4 a.com\n', ['1.2.3.4 a.com']],
    [
      'redirecting lines come first',
      '0.0.0.0 ads.com\n127.0.0.1 localhost\n1.2.3.4 a.com',
      ['1.2.3.4 a.com', '0.0.0.0 ads.com', '127.0.0.1 localhost'],
    ],
  ])('%s', (_title, text, entries) => {
    expect(hostsEntries(text)).toEqual(entries);
  });

  it('our own lines are left out, and a line that someone else has put between them is not', () => {
    const text = withMarkedFirst('1.2.3.4 a.com\n', ['0.0.0.0 scam.example', ':: scam.example']);
    expect(hostsEntries(text)).toEqual(['1.2.3.4 a.com']);
    expect(hostsEntries(text.replace(marks.end, `203.0.113.9 bank.com\n${marks.end}`))).toEqual(['203.0.113.9 bank.com', '1.2.3.4 a.com']);
    // A begin mark alone marks nothing.
    expect(hostsEntries(`${marks.begin}\n0.0.0.0 bank.com\n`)).toEqual(['0.0.0.0 bank.com']);
  });

  it('a redirecting line after 100,000 blocked names is among the 2,000 entries', () => {
    const text = Array.from({ length: 100_000 }, (_, n) => `0.0.0.0 ads-${n}.com`).join('\n');
    const entries = hostsEntries(`${text}\n203.0.113.9 bank.com\n`);
    expect([entries.length, entries[0]]).toEqual([MAX_HOSTS_ENTRIES, '203.0.113.9 bank.com']);
  });

  it('a missing file has no entries; a folder, or a file that is too large, is unreadable', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'hosts');
    const read = hostsReader();
    expect(await read(path)).toEqual({ entries: [] });
    await mkdir(path);
    expect(await read(path)).toBeNull();
    await writeFile(join(folder, 'large'), 'x'.repeat(2000));
    expect([await readWhole(join(folder, 'large'), 1999), (await readWhole(join(folder, 'large'), 2000))?.length]).toEqual([null, 2000]);
  });

  it('a file is read again after each change, also through a symbolic link', async () => {
    const [folder, read] = [await temporaryFolder(), hostsReader()];
    const [path, link] = [join(folder, 'hosts'), join(folder, 'link')];
    await symlink(path, link);
    for (const name of ['a.com', 'b.com', 'b.com', 'c.com']) {
      await writeFile(path, `1.2.3.4 ${name}\n`);
      expect([await read(path), await read(path), await read(link)]).toEqual(Array(3).fill({ entries: [`1.2.3.4 ${name}`] }));
    }
    await rm(path);
    // A broken link is no missing file.
    expect([await read(path), await read(link)]).toEqual([{ entries: [] }, null]);
  });
});

describe('lines that are removed from a hosts file', () => {
  it.each([
    ['a whole line', '127.0.0.1 localhost\n203.0.113.9 bank.com\n# end\n', '127.0.0.1 localhost\n# end\n'],
    ['the last line without an end', '127.0.0.1 localhost\n203.0.113.9 bank.com', '127.0.0.1 localhost\n'],
    ['a line with a comment', '203.0.113.9 bank.com # fix\n# x\n', '# x\n'],
    ['one name of several', '203.0.113.9\tother.com  bank.com third.com # x\r\n', '203.0.113.9\tother.com third.com # x\r\n'],
    ['the only name of several forms', '203.0.113.9 BANK.com. bank.com\n', ''],
    ['a name with another address stays', '203.0.113.8 bank.com\n', '203.0.113.8 bank.com\n'],
    ['a commented line stays', '#203.0.113.9 bank.com\n', '#203.0.113.9 bank.com\n'],
    ['a line of Windows', 'a\r\n::ffff:203.0.113.9 bank.com\r\nb\r\n', 'a\r\nb\r\n'],
  ])('%s', (_title, text, expected) => {
    expect(withoutEntries(text, ['203.0.113.9 bank.com'])).toBe(expected);
  });

  it('an indented line, and a name after a million spaces', () => {
    const spaces = ' '.repeat(1_000_000);
    expect(
      withoutEntries(`\t203.0.113.9 a.com bank.com\n203.0.113.9${spaces}bank.com${spaces}b.com${spaces}\n`, ['203.0.113.9 bank.com']),
    ).toBe(`\t203.0.113.9 a.com\n203.0.113.9${spaces}b.com${spaces}\n`);
  });

  it('our own lines stay, also when someone else has added the same', () => {
    const ours = withMarkedFirst('', ['0.0.0.0 www.scam.example']);
    expect(withoutEntries(`${ours}0.0.0.0 www.scam.example\n`, ['0.0.0.0 www.scam.example'])).toBe(ours);
  });

  it('once all entries are removed, a file has none', () => {
    const word = fc.constantFrom(
      ' ',
      '\t',
      '  ',
      '#',
      '\r\n',
      '\n',
      '1.2.3.4',
      '0.0.0.0',
      '::1',
      '::ffff:1.2.3.4',
      'a.com',
      'A.com.',
      marks.begin,
      marks.end,
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const text = words.join('');
        const rest = withoutEntries(text, hostsEntries(text));
        expect(hostsEntries(rest)).toEqual([]);
        expect(withoutEntries(rest, ['1.2.3.4 a.com'])).toBe(rest);
      }),
      { numRuns: 2000 },
    );
  });

  it('after lines were added anywhere and their entries removed, the file is as before, byte for byte', () => {
    const lineArbitrary = fc.oneof(
      fc.stringMatching(/^[ \t]*(#[^\n]*|[\w.:%]{0,20}([ \t]+[\w.-]{1,10}){0,3})[ \t]*\r?$/),
      fc.constantFrom('127.0.0.1 localhost', '0.0.0.0 ads.com', marks.begin, marks.end, '', '\r', '\u00e9 \u00ff'),
    );
    fc.assert(
      fc.property(fc.array(lineArbitrary, { maxLength: 12 }), fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }), (lines, places) => {
        const added = places.map((_, n) => `203.0.113.${n} bank-${n}.com`);
        const changed = [...lines];
        for (const [n, place] of places.entries()) changed.splice(place, 0, added[n] ?? '');
        expect(withoutEntries(`${changed.join('\n')}\n`, added)).toBe(lines.length ? `${lines.join('\n')}\n` : '');
      }),
      { numRuns: 500 },
    );
  });
});

describe('a hosts file from which lines are removed', () => {
  const added = ['203.0.113.9 bank.com'];
  const withLine = async (before = '127.0.0.1 localhost\n') => {
    const path = join(await temporaryFolder(), 'hosts');
    await writeFile(path, `${before}203.0.113.9 bank.com\n`);
    return path;
  };

  it('has its other content, in any encoding, its rights and its owner as before', async () => {
    const path = join(await temporaryFolder(), 'hosts');
    const other = Buffer.from([0x23, 0xe9, 0xff, 0x0d, 0x0a]);
    await writeFile(path, Buffer.concat([other, Buffer.from('203.0.113.9 bank.com\r\n'), other]));
    await chmod(path, 0o664);
    if (isRoot) await chown(path, 1234, 4321);
    const { uid, gid } = await lstat(path);
    expect(await removeFromHosts(path, added)).toBe(true);
    expect(await readFile(path)).toEqual(Buffer.concat([other, other]));
    const stat = await lstat(path);
    expect([stat.mode & 0o777, stat.uid, stat.gid]).toEqual([0o664, uid, gid]);
    expect(await readdir(join(path, '..'))).toEqual(['hosts']);
  });

  it('is not written when no line is to be removed, and a missing file has none', async () => {
    const path = join(await temporaryFolder(), 'hosts');
    expect(await removeFromHosts(path, added)).toBe(true);
    await writeFile(path, '127.0.0.1 localhost\n');
    const { ino } = await lstat(path);
    expect(await removeFromHosts(path, added)).toBe(true);
    expect((await lstat(path)).ino).toBe(ino);
  });

  it('is not changed when it is a symbolic link, nor is the file behind it', async () => {
    const path = await withLine();
    const link = `${path}-link`;
    await symlink(path, link);
    expect(await removeFromHosts(link, added)).toBe(false);
    expect([(await lstat(link)).isSymbolicLink(), await readFile(path, 'utf8')]).toEqual([
      true,
      '127.0.0.1 localhost\n203.0.113.9 bank.com\n',
    ]);
  });

  it('still has what another program writes after it was read', async () => {
    const path = await withLine();
    let reads = 0;
    const entries = Object.assign([...added], {
      *[Symbol.iterator]() {
        // Only the first reading is out of date.
        if (reads++ === 0) appendFileSync(path, '192.168.1.9 printer\n');
        yield* added;
      },
    });
    expect(await removeFromHosts(path, entries)).toBe(true);
    expect([await readFile(path, 'utf8'), reads]).toEqual(['127.0.0.1 localhost\n192.168.1.9 printer\n', 2]);
    expect(await readdir(join(path, '..'))).toEqual(['hosts']);
  });

  it('is overwritten where it cannot be replaced, as in a container; and not when it cannot be written either', async () => {
    const busy = () => Promise.reject(Object.assign(new Error('busy'), { code: 'EBUSY' }));
    const path = await withLine();
    const { ino } = await lstat(path);
    expect(await removeFromHosts(path, added, busy)).toBe(true);
    expect([await readFile(path, 'utf8'), (await lstat(path)).ino]).toEqual(['127.0.0.1 localhost\n', ino]);
    const other = await withLine();
    const denied = () => Promise.reject(Object.assign(new Error('denied'), { code: 'EACCES' }));
    expect(await removeFromHosts(other, added, denied)).toBe(false);
    expect(await readFile(other, 'utf8')).toContain('bank.com');
    expect(await readdir(join(other, '..'))).toEqual(['hosts']);
  });
});
