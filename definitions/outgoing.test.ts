import { describe, expect, test } from 'vitest';
import type { ProgramSeen } from './format.ts';
import { compileSet, matchProgram } from './match.ts';
import { type ClientStart, isOnlyOutgoing, isOutgoingBuild } from './outgoing.ts';
import { sshForward } from './ssh-forward.ts';
import { shippedCatalogue } from './testing/shipped-catalogue.ts';

const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: shippedCatalogue() });
const windows = (name: string, facts: Partial<ProgramSeen> = {}): ProgramSeen => ({ os: 'windows', name, ...facts });
const microsoft = { company: 'Microsoft Corporation', signer: 'Microsoft Windows' };

function recognised(program: ProgramSeen): { identifier: string; client: boolean } | null {
  const match = matchProgram(program, set);
  const outgoing = match && set.outgoing.get(match.identifier);
  return match && { identifier: match.identifier, client: outgoing ? isOutgoingBuild(program, outgoing) : false };
}

test.each<[string, ProgramSeen, string]>([
  ['mstsc.exe', windows('mstsc.exe', { original_name: 'mstsc.exe', ...microsoft }), 'remote-desktop-connection'],
  [
    'mstsc.exe with the name of its language file',
    windows('mstsc.exe', { original_name: 'mstsc.exe.mui', ...microsoft }),
    'remote-desktop-connection',
  ],
  ['the viewer of RealVNC', windows('vncviewer.exe', { original_name: 'vncviewer.exe', company: 'RealVNC Ltd' }), 'realvnc'],
  ['the viewer of RealVNC under another name', windows('work.exe', { original_name: 'vncviewer.exe', company: 'RealVNC Ltd' }), 'realvnc'],
  ['the viewer of RealVNC on a Mac', { os: 'macos', name: 'vncviewer', bundle_id: 'com.realvnc.vncviewer' }, 'realvnc'],
  ['the viewer of TightVNC', windows('tvnviewer.exe', { original_name: 'tvnviewer.exe', company: 'GlavSoft LLC.' }), 'tightvnc'],
  ['the viewer of TigerVNC', windows('vncviewer.exe', { original_name: 'vncviewer.exe', company: 'TigerVNC team' }), 'tigervnc'],
  ['the viewer of TigerVNC on Linux', { os: 'linux', name: 'xtigervncviewer' }, 'tigervnc'],
  [
    'the viewer of UltraVNC',
    windows('vncviewer.exe', { original_name: 'VNCViewer.exe', product: 'UltraVNC VNCViewer', company: 'UltraVNC', signer: 'uvnc bvba' }),
    'ultravnc',
  ],
  ['the viewer of Radmin', windows('Radmin.exe', { original_name: 'radmin.exe', company: 'Famatech Corp.' }), 'radmin'],
])('[P15.3] %s is a client', (_what, program, identifier) => expect(recognised(program)).toEqual({ identifier, client: true }));

test.each<[string, ProgramSeen]>([
  ['a program that is only named like mstsc.exe', windows('mstsc.exe')],
  [
    'a server of TightVNC under the name of its viewer',
    windows('tvnviewer.exe', { original_name: 'tvnserver.exe', company: 'GlavSoft LLC.' }),
  ],
  [
    'a server of RealVNC under the name of its viewer',
    windows('vncviewer.exe', { original_name: 'vncserver.exe', company: 'RealVNC Ltd' }),
  ],
  ['AnyDesk under the name of mstsc.exe', windows('mstsc.exe', { original_name: 'AnyDesk.exe', company: 'AnyDesk Software GmbH' })],
  ['TeamViewer, which serves too', windows('TeamViewer.exe', { original_name: 'TeamViewer.exe', company: 'TeamViewer Germany GmbH' })],
  ['Quick Assist', windows('quickassist.exe', { original_name: 'quickassist.exe', ...microsoft })],
  ['Windows Remote Assistance', windows('msra.exe', { original_name: 'msra.exe', ...microsoft })],
  ['a server of RealVNC on a Mac under the name of its viewer', { os: 'macos', name: 'VNC Viewer', bundle_id: 'com.realvnc.vncserver' }],
  ['a server of TigerVNC on Linux', { os: 'linux', name: 'x0vncserver' }],
])('[P15.3] %s is recognised, and no client', (_what, program) => expect(recognised(program)?.client).toBe(false));

test('[P15.3] a build that is listed by its hash alone is a client, and another build of the same program is none', () => {
  const outgoing = { ...shippedCatalogue()[0]!.outgoing, sha256: ['a'.repeat(64)] };
  expect(isOutgoingBuild(windows('x.exe', { sha256: 'A'.repeat(64) }), outgoing)).toBe(true);
  expect(isOutgoingBuild(windows('x.exe', { sha256: 'b'.repeat(64) }), outgoing)).toBe(false);
});

const sent = new Set(['C:\\Users\\Ann\\Documents\\sent.rdp', '/home/ann/sent.tigervnc']);
const start = (change: Partial<ClientStart>): ClientStart => ({
  ...{ os: 'windows', name: 'mstsc.exe', args: [] },
  fileOf: (path) => (/missing/.test(path) ? null : { file: path, origin: { from: sent.has(path) ? 'internet' : 'unknown' } }),
  ...change,
});

describe('[P15.3] a client that was started', () => {
  test.each<Partial<ClientStart>>([
    { args: [] },
    { args: ['/v:office.example.com:3389', '/f', '/admin'] },
    { args: ['C:\\Users\\Ann\\Documents\\office.rdp'] },
    { args: ['/edit', 'D:\\work\\office.rdp'] },
    { args: ['C:\\Users\\Ann\\Templates\\office.rdp'] },
    { name: 'vncviewer.exe', args: ['office::5900', '-config=C:\\Users\\Ann\\office.vnc'] },
    { name: 'vncviewer.exe', args: ['listen.example.com'] },
    { os: 'linux', name: 'xtigervncviewer', args: ['-via', 'ann@gate.example.com', 'office:1'] },
    { os: 'linux', name: 'xtigervncviewer', args: ['-passwd', '/home/ann/.vnc/passwd', '/home/ann/office.tigervnc'] },
    { os: 'linux', name: 'xtigervncviewer', args: ['-RemoteResize=0', '-DotWhenNoCursor', 'vnc://office/1'] },
    { os: 'macos', name: 'VNC Viewer', args: ['/Users/ann/Documents/office.vnc'] },
    { name: 'ssh.exe', args: ['-L', '8080:localhost:80', 'ann@office'] },
  ])('that only goes out as in %j', (change) => expect(isOnlyOutgoing(start(change))).toBe(true));

  test.each<Partial<ClientStart>>([
    { args: null },
    { args: Array.from({ length: 101 }, () => 'x') },
    { args: ['C:\\Users\\Ann\\Documents\\sent.rdp'] },
    { args: ['/edit', 'c:\\users\\ann\\downloads\\office.rdp'] },
    { args: ['C:\\Users\\Ann\\DOWNLO~1\\office.rdp'] },
    { args: ['C:\\Users\\Ann\\AppData\\Local\\Temp\\Temp1_invoice.zip\\office.rdp'] },
    { args: ['D:\\Temp1_invoice.zip\\office.rdp'] },
    { args: ['C:\\Users\\Ann\\AppData\\Local\\Microsoft\\Windows\\INetCache\\Content.Outlook\\AB12\\office.rdp'] },
    { args: ['C:\\Users\\Ann\\AppData\\Local\\Microsoft\\Olk\\Attachments\\ooa-1\\office.rdp'] },
    { args: ['C:/Users/Ann/Downloads/office.rdp'] },
    { args: ['missing.rdp'] },
    { args: ['\\\\missing\\share\\office.rdp'] },
    { name: 'vncviewer.exe', args: ['-listen'] },
    { name: 'vncviewer.exe', args: ['/listen', '5500'] },
    { name: 'vncviewer.exe', args: ['-Listen=1'] },
    { name: 'vncviewer.exe', args: ['Listen=1'] },
    { name: 'tvnviewer.exe', args: ['-optionsfile=C:\\Users\\Ann\\Downloads\\office.vnc'] },
    { name: 'vncviewer.exe', args: ['/config:C:\\Users\\Ann\\Downloads\\office.vnc'] },
    { os: 'linux', name: 'xtigervncviewer', args: ['/home/ann/sent.tigervnc'] },
    { os: 'linux', name: 'xtigervncviewer', args: ['/tmp/office.tigervnc'] },
    { os: 'linux', name: 'xtigervncviewer', args: ['/tmp/any-ending'] },
    { os: 'linux', name: 'xtigervncviewer', args: ['file:///home/ann/.cache/evolution/office.tigervnc'] },
    { os: 'linux', name: 'xtigervncviewer', args: ['/home/ann/.thunderbird/a/Attachments/office.tigervnc'] },
    { os: 'macos', name: 'VNC Viewer', args: ['/Users/ann/Library/Containers/com.apple.mail/Data/Library/Mail Downloads/1/office.vnc'] },
    { os: 'macos', name: 'VNC Viewer', args: ['/private/var/folders/ab/12/T/office.vnc'] },
    { name: 'plink.exe', args: ['-R', '3389:localhost:3389', 'evil.example'] },
    { name: 'ssh.exe', args: ['-D', '1080', 'ann@office'] },
  ])('that may let somebody in as in %j', (change) => expect(isOnlyOutgoing(start(change))).toBe(false));

  test('with a link to a file in the download folder', () => {
    const [path, downloaded] = ['C:\\Users\\Ann\\office.rdp', 'C:\\Users\\Ann\\Downloads\\office.rdp'];
    const withFile = (file: string) => start({ args: [path], fileOf: () => ({ file, origin: { from: 'unknown' } }) });
    expect([isOnlyOutgoing(withFile(path)), isOnlyOutgoing(withFile(downloaded))]).toEqual([true, false]);
  });
});

test.each<[string, string, ReturnType<typeof sshForward>]>([
  ['ssh', '-R 80:localhost:22 serveo.net', 'reverse'],
  ['ssh.exe', '-fNR80:localhost:22 serveo.net', 'reverse'],
  ['ssh', 'serveo.net -R 80:localhost:22', 'reverse'],
  ['ssh', '-o RemoteForward=80 host', 'reverse'],
  ['ssh', '-D 1080 -R 80:localhost:22 host', 'reverse'],
  ['autossh', '-M 0 -N -R 80:localhost:22 host', 'reverse'],
  ['PLINK.EXE', '-ssh -l ann -R 80:localhost:22 host', 'reverse'],
  ['ssh', '-D 1080 host', 'dynamic'],
  ['ssh', '-odynamicforward=1080 host', 'dynamic'],
  ['putty', '-D 1080 host', 'dynamic'],
  ['ssh', 'ann@host', null],
  ['ssh', '-M -N host', null],
  ['ssh', '-L 80:localhost:80 host', null],
  ['ssh', '-i -R host', null],
  ['ssh', 'host tar -R x', null],
  ['ssh', '-l R host ls -D', null],
  ['sshd', '-D', null],
  ['vncviewer', '-R', null],
])('[P15.3] %s %s opens %s', (name, args, expected) => expect(sshForward(name, args.split(' '))).toBe(expected));
