import { describe, expect, it, test } from 'vitest';
import { argumentsOf, filesRunBy, hostOf } from './origin.ts';

test.each<[string, string[], string[]]>([
  ['/usr/bin/dash', ['./setup.sh'], ['./setup.sh']],
  ['/usr/bin/bash', ['-x', '-o', 'pipefail', '/home/mum/Downloads/setup', 'argument'], ['/home/mum/Downloads/setup']],
  ['/usr/bin/bash', ['--rcfile', '/etc/rc', 'a.sh'], ['a.sh']],
  ['/usr/bin/bash', ['-c', './setup.sh'], []],
  ['/usr/bin/bash', ['-xc', './setup.sh'], []],
  ['/usr/bin/bash', [], []],
  ['/usr/bin/bash', ['--', '-odd.sh'], ['-odd.sh']],
  ['/bin/busybox', ['sh', 'a.sh'], ['a.sh']],
  ['/usr/bin/python3.11', ['-u', '-W', 'ignore', 'fix.py', '-c'], ['fix.py']],
  ['/usr/bin/python3', ['-m', 'http.server'], []],
  ['/usr/bin/python3', ['-c', 'print(1)', 'x.py'], []],
  ['/usr/bin/perl', ['-w', 'a.pl'], ['a.pl']],
  ['/usr/bin/perl', ['-ne', 'print', 'list.txt'], []],
  ['/usr/bin/node', ['--require', './hook.js', 'main.js'], ['main.js']],
  ['/usr/lib/jvm/bin/java', ['-Xmx1g', '-jar', 'Support.jar', 'x'], ['Support.jar']],
  ['/usr/bin/wine64-preloader', ['C:\\AnyDesk.exe'], ['C:\\AnyDesk.exe']],
  ['/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2', ['--library-path', '/lib', './tool'], ['./tool']],
  ['/usr/bin/ld.so', ['./tool'], ['./tool']],
  ['/usr/bin/ld.so.helper', ['./tool'], []],
  ['/usr/bin/dpkg', ['-i', 'a.deb', 'b.deb'], ['a.deb', 'b.deb']],
  ['/usr/bin/dpkg', ['--unpack', '--force-all', 'a.deb'], ['a.deb']],
  ['/usr/bin/dpkg', ['-I', 'a.deb'], []],
  ['/usr/bin/apt', ['-y', 'install', './rust desk.deb', 'vim'], ['./rust desk.deb']],
  ['/usr/bin/apt', ['show', './rustdesk.deb'], []],
  ['/usr/bin/rpm', ['-Uvh', 'a.rpm'], ['a.rpm']],
  ['/usr/bin/rpm', ['-qp', 'a.rpm'], []],
  ['/usr/bin/gdebi-gtk', ['/home/mum/Downloads/a.deb'], ['/home/mum/Downloads/a.deb']],
  ['/usr/bin/gnome-software', ['--local-filename=/home/mum/a.deb'], ['/home/mum/a.deb']],
  ['/usr/bin/gio', ['launch', 'Invoice.desktop'], ['Invoice.desktop']],
  ['/usr/bin/less', ['a.sh'], []],
  ['C:\\Windows\\System32\\wscript.exe', ['//B', 'C:\\Users\\mum\\a.js'], ['C:\\Users\\mum\\a.js']],
  ['C:\\Windows\\System32\\msiexec.exe', ['/qn', '/i', 'C:\\a.msi'], ['C:\\a.msi']],
  ['C:\\Windows\\System32\\msiexec.exe', ['/IC:\\a.msi'], ['C:\\a.msi']],
  ['C:\\Windows\\System32\\MSIEXEC.EXE', ['/package', 'a.msi'], ['a.msi']],
  ['C:\\Windows\\System32\\msiexec.exe', ['/i', 'https://host.example/a.msi'], []],
  ['C:\\Windows\\System32\\msiexec.exe', ['/x', '{0C4B2B4E}'], []],
  ['C:\\Windows\\System32\\rundll32.exe', ['C:\\a.dll,Start'], ['C:\\a.dll']],
  ['C:\\Windows\\System32\\mshta.exe', ['C:\\a.hta'], ['C:\\a.hta']],
  ['C:\\Windows\\System32\\cmd.exe', ['/c', 'C:\\My', 'Files\\x.bat'], ['C:\\My Files\\x.bat']],
  ['C:\\Windows\\System32\\cmd.exe', ['/c', 'dir'], []],
  ['C:\\x\\powershell.exe', ['-ExecutionPolicy', 'Bypass', '-File', 'a.ps1'], ['a.ps1']],
  ['C:\\x\\powershell.exe', ['-Command', 'Get-Date'], []],
])('%s with %j runs the files %j', (path, args, files) => {
  expect(filesRunBy(path, args)).toEqual(files);
});

describe('a command line of Windows', () => {
  it.each([
    ['"C:\\Program Files\\x.exe" /i "C:\\My Files\\a.msi"', ['/i', 'C:\\My Files\\a.msi']],
    ['msiexec /i"C:\\My Files\\a.msi" /qn', ['/iC:\\My Files\\a.msi', '/qn']],
    ['x.exe', []],
    ['x.exe "unclosed name', ['unclosed name']],
  ])('%s has the arguments %j', (line, args) => {
    expect(argumentsOf(line)).toEqual(args);
  });

  it('of a batch file that a person opened names the file with its spaces', () => {
    const args = argumentsOf('C:\\Windows\\system32\\cmd.exe /c ""C:\\My Files\\x.bat" "');
    expect(filesRunBy('C:\\Windows\\system32\\cmd.exe', args)).toEqual(['C:\\My Files\\x.bat']);
  });
});

test.each([
  ['https://download.example/a?b=c', 'download.example'],
  ['http://user:secret@download.example:8080/a', 'download.example'],
  ['about:internet', null],
  ['file:///etc/passwd', null],
  ['download.example', null],
  ['', null],
  [null, null],
])('the host of %s is %s', (address, host) => {
  expect(hostOf(address)).toBe(host);
});
