import { describe, expect, it, test } from 'vitest';
import { windowsOrigin } from './origin.ts';

interface FakeFile {
  id: number;
  zone?: string | Buffer;
}

/** The calls of Windows over files in memory: wine has no streams, only files with such a name. `opened`: the paths that were opened. */
function fakeCalls(files: Record<string, FakeFile>) {
  const opened: string[] = [];
  const handles: (FakeFile | undefined)[] = [undefined];
  let openHandles = 0;
  const calls: Parameters<typeof windowsOrigin>[0] = {
    openFolder: Object.assign((path: string) => {
      opened.push(path);
      const [file, isStream] = [files[path.replace(/:Zone\.Identifier$/, '')], path.endsWith(':Zone.Identifier')];
      if (!file || (isStream && file.zone === undefined)) return 0xffffffffffffffffn;
      openHandles += 1;
      return handles.push(file) - 1;
    }) as never,
    read: ((handle: number, buffer: Buffer, size: number, done: number[]) => {
      const zone = Buffer.from(handles[handle]?.zone ?? '');
      done[0] = zone.copy(buffer, 0, 0, size);
      return 1;
    }) as never,
    information: ((handle: number, data: Buffer) => {
      data.writeUInt32LE(7, 28);
      data.writeUInt32LE(handles[handle]?.id ?? 0, 48);
      return 1;
    }) as never,
    close: (() => {
      openHandles -= 1;
    }) as never,
  };
  return { calls, opened, openHandles: () => openHandles };
}

const downloads = 'C:\\Users\\mum\\Downloads';
const tool = `${downloads}\\tool.exe`;
const fromInternet =
  '[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=https://page.example/a\r\nHostUrl=https://download.example/tool.exe?key=1\r\n';

test.each<[string, string | Buffer | undefined, object]>([
  ['of a browser', fromInternet, { from: 'internet', host: 'download.example' }],
  ['in UTF-16', Buffer.from(`\ufeff${fromInternet}`, 'utf16le'), { from: 'internet', host: 'download.example' }],
  ['with a referrer alone', '[ZoneTransfer]\nZoneId=3\nReferrerUrl=https://page.example/a', { from: 'internet', host: 'page.example' }],
  ['without a useful address', '[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=about:internet', { from: 'internet', host: null }],
  ['of a restricted site', '[ZoneTransfer]\r\nZoneId=4', { from: 'internet', host: null }],
  ['of the intranet', '[ZoneTransfer]\r\nZoneId=1\r\nHostUrl=https://download.example/', { from: 'local' }],
  ['with a longer number', '[ZoneTransfer]\r\nZoneId=33', { from: 'local' }],
  ['that is empty', '', { from: 'unknown' }],
  ['that is damaged', Buffer.alloc(9000, 0xff), { from: 'unknown' }],
  ['that is missing', undefined, { from: 'unknown' }],
])('a program with a stream %s has the right origin', (_what, zone, origin) => {
  const { calls, openHandles } = fakeCalls({ [tool]: { id: 5, ...(zone === undefined ? {} : { zone }) } });
  expect(windowsOrigin(calls).of({ pid: 1, path: tool })).toEqual({ file: tool, id: '7:5', origin });
  expect(openHandles()).toBe(0);
});

describe('what a program runs', () => {
  const installer = 'C:\\Windows\\System32\\msiexec.exe';
  const [marked, own] = [`${downloads}\\My Tool.msi`, 'D:\\own.msi'];
  const files = { [installer]: { id: 1 }, [marked]: { id: 2, zone: fromInternet }, [own]: { id: 3 } };

  it.each([
    [`"${installer}" /i "${marked}" /qn`, { file: marked, id: '7:2', origin: { from: 'internet', host: 'download.example' } }],
    [`"${installer}" /i ${own}`, { file: own, id: '7:3', origin: { from: 'unknown' } }],
    [`"${installer}" /i D:\\missing.msi`, { file: installer, id: '7:1', origin: { from: 'local' } }],
    [`"${installer}" /V`, { file: installer, id: '7:1', origin: { from: 'local' } }],
  ])('%s has the origin of its package, and else its own', (command_line, launched) => {
    expect(windowsOrigin(fakeCalls(files).calls).of({ pid: 1, path: installer, command_line })).toEqual(launched);
  });
});

test.each<[string, object | null]>([
  [`${downloads}\\sent.rdp`, { from: 'internet', host: 'download.example' }],
  ['D:\\own.rdp', { from: 'unknown' }],
  ['D:\\missing.rdp', null],
  ['own.rdp', null],
  ['\\\\server\\share\\own.rdp', null],
])('[P15.3] the connection file %s has the origin of its own stream', (path, origin) => {
  const files = {
    [tool]: { id: 1, zone: fromInternet },
    [`${downloads}\\sent.rdp`]: { id: 2, zone: fromInternet },
    'D:\\own.rdp': { id: 3 },
  };
  const { calls, openHandles } = fakeCalls(files);
  expect(windowsOrigin(calls).ofFile({ pid: 1 }, path)?.origin ?? null).toEqual(origin);
  expect(openHandles()).toBe(0);
});

test.each<[string, object | null]>([
  ['\\\\files.example@SSL\\DavWWWRoot\\tool.exe', { from: 'internet', host: 'files.example' }],
  ['\\\\files.example@8080\\share\\tool.exe', { from: 'internet', host: 'files.example' }],
  ['\\\\server\\share\\tool.exe', null],
  ['System', null],
])('%s is on another computer and is never opened', (path, origin) => {
  const { calls, opened } = fakeCalls({ [path]: { id: 1, zone: fromInternet } });
  expect(windowsOrigin(calls).of({ pid: 1, path })?.origin ?? null).toEqual(origin);
  expect(opened).toEqual([]);
});
