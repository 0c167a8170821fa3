import { expect, it, onTestFinished } from 'vitest';
import type { ProcessSeen } from '../../port.ts';
import { watchList } from './watch.ts';

it('[P4.2] a package that Windows Installer installs is the program that is run, a removed package is not, and other command lines are not read', () => {
  const lines = [
    'C:\\Windows\\System32\\msiexec.exe /qn /i "C:\\Users\\Mum\\My Files\\AnyDesk.msi"',
    'msiexec /x AnyDesk.msi',
    'C:\\Windows\\System32\\msiexec.exe /V',
    null,
  ];
  const list = lines.map((_, pid) => ({ pid, ppid: 1, started: '1', name: 'MSIEXEC.EXE' }));
  const others = ['notepad.exe', 'python.exe'].map((name, n) => ({ pid: 100 + n, ppid: 1, started: '1', name }));
  const [seen, read]: [ProcessSeen[], number[]] = [[], []];
  const watch = watchList(
    {
      list: () => [...list, ...others],
      pathOf: (pid) => `C:\\Windows\\System32\\${[...list, ...others].find((one) => one.pid === pid)?.name}`,
      commandLineOf: (pid) => {
        read.push(pid);
        return lines[pid] ?? null;
      },
    },
    () => ({}),
    () => 1000,
    (processes) => void seen.push(...processes),
  );
  onTestFinished(() => watch.close());
  const [first, ...rest] = seen.map(({ runs }) => runs);
  expect(first).toMatchObject({ path: 'C:\\Users\\Mum\\My Files\\AnyDesk.msi', program: { os: 'windows', name: 'AnyDesk.msi' } });
  expect(rest).toEqual(Array(5).fill(undefined));
  expect(read).toEqual([0, 1, 2, 3]);
});
