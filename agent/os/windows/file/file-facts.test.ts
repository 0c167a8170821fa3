import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { until } from '../../../testing/until.ts';
import type { ProcessSeen } from '../../port.ts';
import { watchList } from '../processes/watch.ts';
import { type FileFacts, fileFacts, isLocal, isRemote, remoteFacts } from './file-facts.ts';

it.each([
  ['C:\\Users\\Mum\\AnyDesk.exe', true, false],
  ['\\\\?\\C:\\Users\\Mum\\AnyDesk.exe', true, false],
  ['\\\\203.0.113.9\\x\\AnyDesk.exe', false, true],
  ['//203.0.113.9/x/AnyDesk.exe', false, true],
  ['\\\\?\\UNC\\203.0.113.9\\x\\AnyDesk.exe', false, true],
  ['\\??\\UNC\\203.0.113.9\\x\\AnyDesk.exe', false, true],
  ['\\\\.\\COM1', false, false],
  ['C:\\Users\\Mum\\com1.exe', false, false],
  ['C:\\Users\\Mum\\NUL', false, false],
  ['C:\\Users\\Mum\\conin$', false, false],
])('%s is read at once: %s, or without anything waiting for it: %s', (path, local, remote) => {
  expect([isLocal(path), isRemote(path)]).toEqual([local, remote]);
});

it('a file on another computer is not read', async () => {
  const file = join(await temporaryFolder(), 'renamed.exe');
  await writeFile(file, programOf('AnyDesk.exe'));
  expect(fileFacts(() => true)(file)).toEqual({ original_name: 'AnyDesk.exe' });
  expect(fileFacts(isLocal)(file)).toEqual({});
});

describe('a program that was started from another computer', () => {
  it('a remote program is observed by name at once, and again once its file was read', async () => {
    const seen: ProcessSeen[] = [];
    const path = '\\\\server\\share\\help.exe';
    const all = [{ pid: 7, ppid: 1, started: '1', name: 'help.exe' }];
    let read = (_facts: FileFacts) => {};
    const slow = () => new Promise<FileFacts>((resolve) => (read = resolve));
    const watch = watchList(
      { list: () => all, pathOf: () => path },
      fileFacts(isLocal),
      () => 10,
      (now) => void seen.push(...now),
      slow,
    );
    onTestFinished(() => watch.close());
    expect(seen.map(({ program }) => program)).toEqual([{ os: 'windows', name: 'help.exe', path }]);
    read({ original_name: 'AnyDesk.exe' });
    await until('the second time', () => seen.length === 2);
    expect(seen[1]).toMatchObject({ pid: 7, started: '1', program: { original_name: 'AnyDesk.exe' } });
  });

  it('remote files are read one after the other despite failures', async () => {
    const file = join(await temporaryFolder(), 'renamed.exe');
    await writeFile(file, programOf('AnyDesk.exe'));
    const slow = remoteFacts(() => true);
    expect(await Promise.all([slow(`${file}-not-there`), slow(file)])).toEqual([{}, { original_name: 'AnyDesk.exe' }]);
    expect(remoteFacts()(file)).toBeNull();
  });
});

function programOf(OriginalFilename: string): Buffer {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const info = Resource.VersionInfo.createEmpty();
  info.setStringValues({ lang: 1033, codepage: 1200 }, { OriginalFilename });
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}
