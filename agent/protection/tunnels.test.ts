import { shippedRules } from '@porchlight/definitions/testing/shipped-catalogue.ts';
import { expect, test } from 'vitest';
import { detectMeshVpns, detectTunnels } from './detectors/tunnels.ts';

const { tunnels } = shippedRules();
const seen = (name: string) => ({ pid: 7, started: '1', path: `/opt/${name}`, program: { os: 'windows' as const, name } });

test.each([
  ['ngrok.exe', 'ngrok'],
  ['NGROK', 'ngrok'],
  ['cloudflared.exe', 'Cloudflare Tunnel'],
  ['frpc', 'frp'],
  ['zrok.exe', 'zrok'],
])('[P12.5] [P18.1] %s is found as a tunnel, which nothing closes, by a name that messages quote whole', (name, tunnel) => {
  expect(`A tunnel (${tunnel})`.length).toBeLessThanOrEqual(30);
  expect(detectTunnels([seen(name)], tunnels, () => null)).toMatchObject([
    { match: { identifier: 'door-tunnel', name: `A tunnel (${tunnel})` }, details: `/opt/${name}`, closable: null },
  ]);
});

test.each([
  'ssh',
  'sshd.exe',
  'ngrok-docs.pdf',
  'frps',
  'tailscaled',
  'openvpn.exe',
  'constructor',
  '',
  'explore',
  'bored.exe',
  'ngrok.exe.txt',
])('[P12.5] %s is no tunnel', (name) => expect(detectTunnels([seen(name)], tunnels, () => null)).toEqual([]));

test.each([
  ['ssh.exe', ['-R', '80:localhost:22', 'serveo.net'], ['powershell.exe'], 'A tunnel (SSH)'],
  ['ssh', ['-NR', '80:localhost:22', 'host'], ['autossh', 'bash'], undefined],
  ['ssh', ['-D', '1080', 'host'], ['bash'], undefined],
  ['ssh', ['ann@office'], ['bash'], undefined],
])('[P15.3] %s with %j, started by %j, is found as %s', (name, args, parents, expected) => {
  const found = detectTunnels([seen(name)], tunnels, () => ({ line: '', args, parents, pipeline: [] }));
  expect(found.map(({ match }) => match.name)).toEqual(expected ? [expected] : []);
});

test.each([
  ['windows', 'C:\\Program Files\\Tailscale\\tailscale-ipn.exe', 'Tailscale C:\\Program Files\\Tailscale'],
  ['linux', '/usr/sbin/tailscaled', 'Tailscale /usr/sbin'],
  ['macos', '/Applications/Tailscale.app/Contents/MacOS/Tailscale', 'Tailscale /Applications/Tailscale.app/Contents/MacOS'],
  ['windows', 'C:\\ProgramData\\ZeroTier\\One\\zerotier-one_x64.exe', 'ZeroTier C:\\ProgramData\\ZeroTier\\One'],
  ['linux', '/usr/bin/netbird', 'NetBird /usr/bin'],
  ['linux', '/usr/bin/tailscale', null],
  ['windows', 'C:\\Program Files\\OpenVPN\\bin\\openvpn.exe', null],
  ['windows', 'C:\\Program Files\\NordVPN\\NordVPN.exe', null],
] as const)('[P15.3] on %s %s is found as %s', (os, path, expected) => {
  const process = {
    pid: 7,
    started: '1',
    path,
    program: { os, name: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1) },
  };
  const found = detectMeshVpns([process, { ...process, pid: 8 }], tunnels);
  expect(found.map(({ key }) => key)).toEqual(expected ? [expected] : []);
  expect(found.every(({ finding }) => finding.match.name.length <= 30)).toBe(true);
});
