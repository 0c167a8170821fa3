import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readBom } from '../testing/read-bom.ts';
import { readCpio, readXar } from '../testing/read-xar.ts';
import { requirePrograms } from '../testing/skip.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { macPackage } from './package.ts';

const folder = './Library/Application Support/Porchlight';
const programs = (['arm64', 'x64'] as const).map((arch) => ({
  arch,
  agent: randomBytes(20_000),
  native: { name: 'koffi-1.0.0.node', content: randomBytes(5000) },
}));
const packageParts = { version: '1.2.3', programs, beside: { 'operator.json': Buffer.from('{}') } };
const packageBytes = macPackage(packageParts);
const packageFiles = readXar(packageBytes);
const agentFile = (name: string) => packageFiles.get(`agent.pkg/${name}`) ?? Buffer.alloc(0);
const executables = ['agent-arm64', 'agent-x64'].map((name) => `${folder}/porchlight-${name}`);

describe('the package for macOS', () => {
  test('has every file that the installer of macOS needs, each with its checksum', () => {
    expect([...packageFiles.keys()]).toEqual([
      'Distribution',
      'agent.pkg/Bom',
      'agent.pkg/PackageInfo',
      'agent.pkg/Payload',
      'agent.pkg/Scripts',
    ]);
  });

  test('has the same bytes when it is built again, and other bytes when a file has changed', () => {
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(macPackage(packageParts))).toBe(hash(packageBytes));
    expect(hash(macPackage({ ...packageParts, beside: { 'operator.json': Buffer.from('{ }') } }))).not.toBe(hash(packageBytes));
  });

  test('contains the programs for both processors, their native libraries and the files for launchd, all owned by root', () => {
    const payload = readCpio(agentFile('Payload'));
    for (const { arch, agent, native } of programs) {
      expect(payload.get(`${folder}/porchlight-agent-${arch}`)?.content.equals(agent)).toBe(true);
      expect(payload.get(`${folder}/koffi-1.0.0.node-${arch}`)?.content.equals(native.content)).toBe(true);
    }
    for (const path of [...executables, `${folder}/uninstall`]) expect(payload.get(path)?.mode).toBe(0o100755);
    for (const path of ['LaunchDaemons/example.porchlight.agent', 'LaunchAgents/example.porchlight.window'])
      expect(payload.get(`./Library/${path}.plist`)?.mode).toBe(0o100644);
    expect(new Set([...payload.values()].map(({ owner }) => owner))).toEqual(new Set(['0:0']));
    const seenPaths = new Set<string>();
    for (const path of payload.keys()) {
      expect(path === '.' || seenPaths.has(path.replace(/\/[^/]+$/, ''))).toBe(true);
      seenPaths.add(path);
    }
  });

  test('has a bill of materials that agrees with each file of the payload', () => {
    const payload = readCpio(agentFile('Payload'));
    const lines = readBom(agentFile('Bom'));
    expect(lines.map(({ path }) => path)).toEqual([...payload.keys()]);
    for (const { path, mode, owner, size } of lines) {
      const packedFile = payload.get(path);
      expect({ path, mode, owner, size }).toEqual({
        path,
        mode: packedFile?.mode,
        owner: packedFile?.owner,
        size: packedFile?.content.length,
      });
    }
  });

  test('has a bill of materials with the checksums that cksum(1) prints', (context) => {
    requirePrograms(context, { cksum: 'coreutils' });
    const payload = readCpio(agentFile('Payload'));
    for (const { path, mode, checksum } of readBom(agentFile('Bom'))) {
      const printed = execFileSync('cksum', { input: payload.get(path)?.content ?? '' }).toString();
      expect({ path, checksum }).toEqual({ path, checksum: mode >= 0o100000 ? Number(printed.split(' ')[0]) : 0 });
    }
  });

  test('names the number of files, their folder, the system and the scripts', () => {
    const info = agentFile('PackageInfo').toString();
    expect(info).toContain('identifier="example.porchlight.agent" version="1.2.3" install-location="/"');
    expect(info).toContain(`numberOfFiles="${readCpio(agentFile('Payload')).size}"`);
    const distribution = packageFiles.get('Distribution')?.toString() ?? '';
    for (const expectedText of [
      '<title>Porchlight</title>',
      'hostArchitectures="arm64,x86_64"',
      '<os-version min="11.0"/>',
      '>#agent.pkg</pkg-ref>',
    ])
      expect(distribution).toContain(expectedText);
    const scripts = readCpio(agentFile('Scripts'));
    for (const name of ['preinstall', 'postinstall']) expect(scripts.get(`./${name}`)?.mode).toBe(0o100755);
  });

  test.for([
    ['7z', 'p7zip-full', ['l', '-slt']],
    ['bsdtar', 'libarchive-tools', ['-tvf']],
    ['xar', 'xar, from Debian 13 on', ['-tf']],
  ] as const)('can be read by %s', async ([program, debianPackage, args], context) => {
    requirePrograms(context, { [program]: debianPackage });
    const file = join(await temporaryFolder(), 'porchlight.pkg');
    writeFileSync(file, packageBytes);
    const output = execFileSync(program, [...args, file]).toString();
    for (const path of packageFiles.keys()) expect(output).toContain(path);
  });

  test('is unpacked to the same files by bsdtar and by cpio', async (context) => {
    requirePrograms(context, { bsdtar: 'libarchive-tools', cpio: 'cpio' });
    const workFolder = await temporaryFolder();
    writeFileSync(join(workFolder, 'porchlight.pkg'), packageBytes);
    execFileSync('bsdtar', ['-xf', 'porchlight.pkg'], { cwd: workFolder });
    for (const [path, content] of packageFiles) expect(readFileSync(join(workFolder, path)).equals(content)).toBe(true);
    mkdirSync(join(workFolder, 'disk'));
    const payload = gunzipSync(readFileSync(join(workFolder, 'agent.pkg', 'Payload')));
    execFileSync('cpio', ['-id', '--quiet', '--no-preserve-owner'], { cwd: join(workFolder, 'disk'), input: payload });
    for (const { arch, agent } of programs)
      expect(readFileSync(join(workFolder, 'disk', folder, `porchlight-agent-${arch}`)).equals(agent)).toBe(true);
    const cpioListing = execFileSync('cpio', ['-itv', '--quiet', '-n'], { input: payload }).toString();
    expect(cpioListing.match(/^[-d]rw[x-]r-[x-]r-[x-] +\d+ 0 +0 /gm)?.length).toBe(cpioListing.trim().split('\n').length);
  });

  test('fails a checksum when any byte has changed', () => {
    for (let n = 0; n < 200; n++) {
      const at = Math.floor((n / 200) * packageBytes.length);
      // Bytes 24 to 27 name the kind of checksum, which the reader ignores.
      if (at >= 24 && at < 28) continue;
      const changedBytes = Buffer.from(packageBytes);
      changedBytes[at] = (changedBytes[at] ?? 0) ^ 1;
      expect(() => readXar(changedBytes), `byte ${at}`).toThrow();
    }
  });
});
