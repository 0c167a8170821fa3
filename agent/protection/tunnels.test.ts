import { expect, test } from 'vitest';
import { detectTunnels } from './detectors/tunnels.ts';

const seen = (name: string) => ({ pid: 7, started: '1', path: `/opt/${name}`, program: { os: 'windows' as const, name } });

test.each([
  ['ngrok.exe', 'ngrok'],
  ['NGROK', 'ngrok'],
  ['cloudflared.exe', 'Cloudflare Tunnel'],
  ['frpc', 'frp'],
  ['zrok.exe', 'zrok'],
])('[P12.5] [P18.1] %s is found as a tunnel, which nothing closes, by a name that messages quote whole', (name, tunnel) => {
  expect(`A tunnel (${tunnel})`.length).toBeLessThanOrEqual(30);
  expect(detectTunnels([seen(name)])).toMatchObject([
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
])('[P12.5] %s is no tunnel', (name) => expect(detectTunnels([seen(name)])).toEqual([]));
