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
])('the program file %s is read synchronously: %s, asynchronously: %s', (path, expectedLocal, expectedRemote) => {
  expect([isLocal(path), isRemote(path)]).toEqual([expectedLocal, expectedRemote]);
});

it('the metadata of a file on another computer is not read synchronously', async () => {
  const file = join(await temporaryFolder(), 'renamed.exe');
  await writeFile(file, programOf('AnyDesk.exe'));
  expect(fileFacts(() => true)(file)).toEqual({ original_name: 'AnyDesk.exe' });
  expect(fileFacts(isLocal)(file)).toEqual({});
});

describe('a program started from another computer', () => {
  it('a program started from another computer is observed by name at once, and again when its file has been read', async () => {
    const seenProcesses: ProcessSeen[] = [];
    const path = '\\\\server\\share\\help.exe';
    const processList = [{ pid: 7, ppid: 1, started: '1', name: 'help.exe' }];
    let resolveFacts = (_facts: FileFacts) => {};
    const readSlowly = () => new Promise<FileFacts>((resolve) => (resolveFacts = resolve));
    const watch = watchList(
      { list: () => processList, pathOf: () => path, commandLineOf: () => null },
      fileFacts(isLocal),
      () => 10,
      (processes) => void seenProcesses.push(...processes),
      readSlowly,
    );
    onTestFinished(() => watch.close());
    expect(seenProcesses.map(({ program }) => program)).toEqual([{ os: 'windows', name: 'help.exe', path }]);
    resolveFacts({ original_name: 'AnyDesk.exe' });
    await until('the second time', () => seenProcesses.length === 2);
    expect(seenProcesses[1]).toMatchObject({ pid: 7, started: '1', program: { original_name: 'AnyDesk.exe' } });
  });

  it('files on other computers are read one after another, also after a failed read', async () => {
    const file = join(await temporaryFolder(), 'renamed.exe');
    await writeFile(file, programOf('AnyDesk.exe'));
    const readSlowly = remoteFacts(() => true);
    expect(await Promise.all([readSlowly(`${file}-not-there`), readSlowly(file)])).toEqual([{}, { original_name: 'AnyDesk.exe' }]);
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
