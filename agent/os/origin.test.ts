import { describe, expect, it, test } from 'vitest';
import { argumentsOf, filesRunBy, hostOf, programRunBy } from './origin.ts';

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
  ['/bin/busybox', ['cat', 'a.sh'], []],
  ['/usr/bin/box64', ['./tool'], ['./tool']],
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

const inWine = 'C:\\users\\ann\\Downloads\\AnyDesk.exe';
const preloader = '/opt/wine-stable/bin/wine64-preloader';

/** Null for a process in which no other program runs. */
test.each<[string, string[], string, [string, 'windows' | 'linux', number] | null]>([
  [preloader, [inWine, '--tray'], 'AnyDesk.exe', [inWine, 'windows', 0]],
  [preloader, ['wine64', inWine], 'wine64', [inWine, 'windows', 1]],
  [preloader, [preloader, '/usr/bin/wine64', '/home/ann/AnyDesk.exe', 'x'], 'wine64', ['/home/ann/AnyDesk.exe', 'windows', 2]],
  [preloader, ['wine64'], 'AnyDesk.exe', ['AnyDesk.exe', 'windows', 0]],
  [preloader, ['wine64'], 'wineserver', null],
  [preloader, ['C:\\windows\\system32\\msiexec.exe', '/i', 'Z:\\AnyDesk.msi'], 'msiexec.exe', ['Z:\\AnyDesk.msi', 'windows', 2]],
  [preloader, ['C:\\windows\\system32\\services.exe'], 'services.exe', ['C:\\windows\\system32\\services.exe', 'windows', 0]],
  ['C:\\Windows\\System32\\msiexec.exe', ['', '/qn', '/i', 'AnyDesk.msi'], '', ['AnyDesk.msi', 'linux', 3]],
  ['C:\\Windows\\System32\\msiexec.exe', ['', '/x', 'AnyDesk.msi'], '', null],
  ['C:\\Windows\\System32\\msiexec.exe', ['', '/V'], '', null],
  ['/usr/bin/wineserver', ['wineserver', 'AnyDesk.exe'], 'wineserver', null],
  ['/usr/bin/box64', ['box64', '/usr/bin/wine64', 'AnyDesk.exe'], 'box64', ['AnyDesk.exe', 'windows', 2]],
  ['/usr/bin/box64', ['box64', './anydesk', '--tray'], 'box64', ['./anydesk', 'linux', 1]],
  ['/usr/bin/FEXInterpreter', ['FEXInterpreter', '/opt/rustdesk'], 'x', ['/opt/rustdesk', 'linux', 1]],
  ['/usr/bin/qemu-x86_64-static', ['qemu', '-L', '/usr/x86_64', '-cpu', 'max', './rustdesk'], 'x', ['./rustdesk', 'linux', 5]],
  ['/usr/bin/qemu-system-x86_64', ['qemu-system-x86_64', 'anydesk'], 'x', null],
  ['/usr/bin/qemu-img', ['qemu-img', 'create', 'anydesk'], 'x', null],
  ['/lib64/ld-linux-x86-64.so.2', ['ld.so', '--library-path', '/x', '/x/AnyDesk', '60'], 'AnyDesk', ['/x/AnyDesk', 'linux', 3]],
  ['/lib64/ld-linux-x86-64.so.2', ['ld.so', '--list', '/x/AnyDesk'], 'x', null],
  ['/lib/ld-musl-x86_64.so.1', ['ld', '--preload', 'a.so', './anydesk'], 'x', ['./anydesk', 'linux', 3]],
  ['/usr/bin/bash', ['/bin/bash', '/usr/bin/teamviewer', 'x'], 'teamviewer', ['/usr/bin/teamviewer', 'linux', 1]],
  ['/usr/bin/dash', ['/bin/sh', '/etc/init.d/x11vnc', 'stop'], 'x11vnc', null],
  ['/usr/bin/dash', ['/bin/sh', '/etc/cron.daily/teamviewer'], 'teamviewer', null],
  ['/usr/bin/bash', ['bash', '-c', 'teamviewer'], 'bash', null],
  ['/usr/bin/bash', ['-bash'], 'bash', null],
  ['/usr/bin/perl', ['/usr/bin/perl', '-w', '/usr/bin/tigervncserver'], 'x', ['/usr/bin/tigervncserver', 'linux', 2]],
  ['/usr/bin/perl', ['perl', '-ne', 'print', 'anydesk'], 'perl', null],
  ['/bin/busybox', ['/bin/sh', '/usr/bin/teamviewer'], 'teamviewer', ['/usr/bin/teamviewer', 'linux', 1]],
  ['/bin/busybox', ['busybox', 'sh', './anydesk'], 'busybox', ['./anydesk', 'linux', 2]],
  ['/bin/busybox', ['cat', 'anydesk'], 'busybox', null],
  ['/bin/busybox', ['busybox', 'rm', 'anydesk'], 'busybox', null],
  ['/usr/bin/dpkg', ['dpkg', '-i', 'anydesk.deb'], 'dpkg', null],
  ['/usr/bin/less', ['less', 'anydesk'], 'less', null],
  ['/usr/bin/vim', ['vim', '/usr/bin/teamviewer'], 'vim', null],
])('in the process of %s with %j, which calls itself %s, %j runs', (path, argv, comm, expected) => {
  const run = programRunBy(path, argv, comm);
  expect(run && [run.path, run.isWindows ? 'windows' : 'linux', run.skipped]).toEqual(expected);
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
