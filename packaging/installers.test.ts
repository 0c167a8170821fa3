import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { installersOf, warnings } from './installers.ts';
import type { Program } from './programs.ts';
import { type Target, targets } from './targets.ts';
import { readCpio, readXar } from './testing/read-xar.ts';
import { requirePrograms } from './testing/skip.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const program = (target: Target): Program => ({
  target,
  agent: Buffer.from(`agent for ${target}`),
  native: { name: 'koffi-1.0.0.node', content: Buffer.from(`native for ${target}`) },
});
const operator = Buffer.from('{"payload":""}');

async function makeInstallers(programs: Program[]) {
  const workFolder = await temporaryFolder();
  const server = 'https://porchlight.example';
  const files = await installersOf({ programs, version: '1.2.3', operator, server, work: workFolder });
  return { files, warned: warnings([...targets], [...files.keys()], server), work: workFolder };
}

test('the installer for each system contains the agent, its native library and the operator’s file', async (context) => {
  requirePrograms(context, { makensis: 'nsis', '7z': 'p7zip-full' });
  const { files, warned, work } = await makeInstallers(targets.map(program));
  expect([...files.keys()]).toEqual(['porchlight.exe', 'porchlight.pkg', 'porchlight.deb', 'porchlight.tar.gz']);
  expect(warned).toEqual([]);
  const unpackFile = (name: string, path: string) => {
    writeFileSync(join(work, name), files.get(name) ?? '');
    return name.endsWith('.exe')
      ? execFileSync('7z', ['e', '-so', join(work, name), path]).toString()
      : execFileSync('tar', ['xzOf', join(work, name), `./opt/porchlight/${path}`]).toString();
  };
  expect(unpackFile('porchlight.exe', 'porchlight-agent.exe')).toBe('agent for win-x64');
  expect(unpackFile('porchlight.tar.gz', 'porchlight-agent')).toBe('agent for linux-x64');
  for (const name of ['porchlight.exe', 'porchlight.tar.gz']) {
    expect(unpackFile(name, 'koffi-1.0.0.node')).toContain('native for');
    expect(unpackFile(name, 'operator.json')).toBe(String(operator));
  }
  const mac = readCpio(readXar(files.get('porchlight.pkg') ?? Buffer.alloc(0)).get('agent.pkg/Payload') ?? Buffer.alloc(0));
  for (const [name, content] of [
    ['porchlight-agent-arm64', 'agent for darwin-arm64'],
    ['koffi-1.0.0.node-x64', 'native for darwin-x64'],
    ['operator.json', String(operator)],
  ])
    expect(String(mac.get(`./Library/Application Support/Porchlight/${name}`)?.content)).toBe(content);
});

test('without makensis, the installer for Windows is left out with a warning, and the other installers are made', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  const { files, warned } = await makeInstallers(targets.map(program)).finally(() => vi.unstubAllEnvs());
  expect([...files.keys()]).toEqual(['porchlight.pkg', 'porchlight.deb', 'porchlight.tar.gz']);
  expect(warned).toEqual([
    'there is no installer for Windows. It takes makensis, which is not here: apt-get install nsis, and run this again.',
  ]);
  expect(warnings(['linux-x64'], [...files.keys()], 'https://porchlight.example')).toEqual([]);
  expect(warnings(['linux-x64'], [...files.keys()], 'http://localhost:4380')).toEqual([
    expect.stringMatching(/^these installers work on this computer alone, /),
  ]);
});

test('the package for macOS has the programs for both processors, or is not made', async () => {
  const { files } = await makeInstallers([program('darwin-arm64'), program('linux-x64')]);
  expect([...files.keys()]).toEqual(['porchlight.deb', 'porchlight.tar.gz']);
});
