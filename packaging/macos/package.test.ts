import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { needs } from '../testing/left-out.ts';
import { readBom } from '../testing/read-bom.ts';
import { readCpio, readXar } from '../testing/read-xar.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { macPackage } from './package.ts';

const folder = './Library/Application Support/Porchlight';
const programs = (['arm64', 'x64'] as const).map((arch) => ({
  arch,
  agent: randomBytes(20_000),
  native: { name: 'koffi-1.0.0.node', content: randomBytes(5000) },
}));
const parts = { version: '1.2.3', programs, beside: { 'operator.json': Buffer.from('{}') } };
const made = macPackage(parts);
const inside = readXar(made);
const part = (name: string) => inside.get(`agent.pkg/${name}`) ?? Buffer.alloc(0);
const executables = ['agent-arm64', 'agent-x64'].map((name) => `${folder}/porchlight-${name}`);

describe('the package for macOS', () => {
  test('has every file that the installer of macOS needs, each with its checksum', () => {
    expect([...inside.keys()]).toEqual([
      'Distribution',
      'agent.pkg/Bom',
      'agent.pkg/PackageInfo',
      'agent.pkg/Payload',
      'agent.pkg/Scripts',
    ]);
  });

  test('has the same bytes when it is built again, and others when a file has changed', () => {
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(macPackage(parts))).toBe(hash(made));
    expect(hash(macPackage({ ...parts, beside: { 'operator.json': Buffer.from('{ }') } }))).not.toBe(hash(made));
  });

  test('contains both programs, the files beside them and those for launchd, all owned by root', () => {
    const payload = readCpio(part('Payload'));
    for (const { arch, agent, native } of programs) {
      expect(payload.get(`${folder}/porchlight-agent-${arch}`)?.content.equals(agent)).toBe(true);
      expect(payload.get(`${folder}/koffi-1.0.0.node-${arch}`)?.content.equals(native.content)).toBe(true);
    }
    for (const path of [...executables, `${folder}/uninstall`]) expect(payload.get(path)?.mode).toBe(0o100755);
    for (const path of ['LaunchDaemons/example.porchlight.agent', 'LaunchAgents/example.porchlight.window'])
      expect(payload.get(`./Library/${path}.plist`)?.mode).toBe(0o100644);
    expect(new Set([...payload.values()].map(({ owner }) => owner))).toEqual(new Set(['0:0']));
    // A folder comes before its files.
    const seen = new Set<string>();
    for (const path of payload.keys()) {
      expect(path === '.' || seen.has(path.replace(/\/[^/]+$/, ''))).toBe(true);
      seen.add(path);
    }
  });

  test('its bill of materials agrees with each file of the payload', () => {
    const payload = readCpio(part('Payload'));
    const lines = readBom(part('Bom'));
    expect(lines.map(({ path }) => path)).toEqual([...payload.keys()]);
    for (const { path, mode, owner, size } of lines) {
      const packed = payload.get(path);
      expect({ path, mode, owner, size }).toEqual({ path, mode: packed?.mode, owner: packed?.owner, size: packed?.content.length });
    }
  });

  test('its bill of materials has the checksums that cksum(1) prints', (context) => {
    needs(context, { cksum: 'coreutils' });
    const payload = readCpio(part('Payload'));
    for (const { path, mode, checksum } of readBom(part('Bom'))) {
      const printed = execFileSync('cksum', { input: payload.get(path)?.content ?? '' }).toString();
      expect({ path, checksum }).toEqual({ path, checksum: mode >= 0o100000 ? Number(printed.split(' ')[0]) : 0 });
    }
  });

  test('names the number of files, their folder, the system and the scripts', () => {
    const info = part('PackageInfo').toString();
    expect(info).toContain('identifier="example.porchlight.agent" version="1.2.3" install-location="/"');
    expect(info).toContain(`numberOfFiles="${readCpio(part('Payload')).size}"`);
    const distribution = inside.get('Distribution')?.toString() ?? '';
    for (const words of [
      '<title>Porchlight</title>',
      'hostArchitectures="arm64,x86_64"',
      '<os-version min="11.0"/>',
      '>#agent.pkg</pkg-ref>',
    ])
      expect(distribution).toContain(words);
    const scripts = readCpio(part('Scripts'));
    for (const name of ['preinstall', 'postinstall']) expect(scripts.get(`./${name}`)?.mode).toBe(0o100755);
  });

  test.for([
    ['7z', 'p7zip-full', ['l', '-slt']],
    ['bsdtar', 'libarchive-tools', ['-tvf']],
    ['xar', 'xar, from Debian 13 on', ['-tf']],
  ] as const)('%s reads it', async ([program, from, args], context) => {
    needs(context, { [program]: from });
    const file = join(await temporaryFolder(), 'porchlight.pkg');
    writeFileSync(file, made);
    const output = execFileSync(program, [...args, file]).toString();
    for (const path of inside.keys()) expect(output).toContain(path);
  });

  test('bsdtar and cpio unpack it to the same files', async (context) => {
    needs(context, { bsdtar: 'libarchive-tools', cpio: 'cpio' });
    const work = await temporaryFolder();
    writeFileSync(join(work, 'porchlight.pkg'), made);
    execFileSync('bsdtar', ['-xf', 'porchlight.pkg'], { cwd: work });
    for (const [path, content] of inside) expect(readFileSync(join(work, path)).equals(content)).toBe(true);
    mkdirSync(join(work, 'disk'));
    const payload = gunzipSync(readFileSync(join(work, 'agent.pkg', 'Payload')));
    execFileSync('cpio', ['-id', '--quiet', '--no-preserve-owner'], { cwd: join(work, 'disk'), input: payload });
    for (const { arch, agent } of programs)
      expect(readFileSync(join(work, 'disk', folder, `porchlight-agent-${arch}`)).equals(agent)).toBe(true);
    const listed = execFileSync('cpio', ['-itv', '--quiet', '-n'], { input: payload }).toString();
    expect(listed.match(/^[-d]rw[x-]r-[x-]r-[x-] +\d+ 0 +0 /gm)?.length).toBe(listed.trim().split('\n').length);
  });

  test('a changed byte anywhere in it breaks a checksum', () => {
    for (let n = 0; n < 200; n++) {
      const at = Math.floor((n / 200) * made.length);
      // The header says the kind of checksum, which this reader does not look at.
      if (at >= 24 && at < 28) continue;
      const changed = Buffer.from(made);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => readXar(changed), `byte ${at}`).toThrow();
    }
  });
});
