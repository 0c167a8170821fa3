import { expect, test } from 'vitest';
import { isSystemProcess } from './system-processes.ts';

test.each([
  ['svchost.exe', 'E:\\svchost.exe', false],
  ['explorer.exe', 'C:\\explorer.exe', false],
  ['svchost.exe', 'C:\\System32\\svchost.exe', false],
  ['svchost.exe', 'E:\\Windows\\System32\\svchost.exe', false],
  ['svchost.exe', '\\svchost.exe', false],
  ['lsass.exe', '\\Device\\CdRom0\\Windows\\System32\\lsass.exe', false],
  ['lsass.exe', '\\Device\\HarddiskVolume3\\lsass.exe', false],
  ['lsass.exe', '\\\\203.0.113.9\\Windows\\System32\\lsass.exe', false],
  ['dwm.exe', '\\SystemRoot\\Temp\\dwm.exe', false],
  ['dwm.exe', '\\\\?\\C:\\dwm.exe', false],
  ['svchost.exe', 'C:\\Windows\\System32\\svchost.exe', true],
  ['lsass.exe', 'c:\\WINDOWS\\system32\\LSASS.EXE', true],
  ['explorer.exe', 'C:\\Windows\\explorer.exe', true],
  ['smss.exe', '\\SystemRoot\\System32\\smss.exe', true],
  ['csrss.exe', '\\??\\C:\\Windows\\System32\\csrss.exe', true],
  ['csrss.exe', '\\Device\\HarddiskVolume3\\Windows\\System32\\csrss.exe', true],
  ['Registry', 'Registry', true],
])('%s at %s is a system process: %s', (name, path, isSystem) => {
  expect(isSystemProcess(name, path, 'C:\\Windows')).toBe(isSystem);
});

test('system processes are recognised in the actual Windows folder only', () => {
  expect(isSystemProcess('lsass.exe', 'D:\\WinNT\\System32\\lsass.exe', 'D:\\WinNT\\')).toBe(true);
  expect(isSystemProcess('lsass.exe', 'C:\\Windows\\System32\\lsass.exe', 'D:\\WinNT\\')).toBe(false);
});
