import { execFile } from 'node:child_process';
import type { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { BuildFailed } from '../build-failed.ts';
import type { WindowsSigning } from './sign.ts';

const run = promisify(execFile);
/** The extended key usage *code signing*. */
const codeSigning = '1.3.6.1.5.5.7.3.3';

/**
 * Reads the settings of the signature for Windows; null without a certificate. What would make a signature fail is refused here, before minutes
 * are spent on building. `url`: the address of the server.
 */
export async function windowsSigning(env: NodeJS.ProcessEnv, url: string, now: Date): Promise<WindowsSigning | null> {
  const { WINDOWS_CERTIFICATE, WINDOWS_CERTIFICATE_PASSWORD_FILE, WINDOWS_TIMESTAMP_URL } = env;
  if (!WINDOWS_CERTIFICATE && !WINDOWS_CERTIFICATE_PASSWORD_FILE) return null;
  if (!WINDOWS_CERTIFICATE || !WINDOWS_CERTIFICATE_PASSWORD_FILE) {
    const missing = WINDOWS_CERTIFICATE ? 'WINDOWS_CERTIFICATE_PASSWORD_FILE' : 'WINDOWS_CERTIFICATE';
    refuse(`${missing} is missing: a signature for Windows takes a certificate and the file with its password.`);
  }
  // makensis runs the program that signs in another folder.
  const [certificate, passwordFile] = [resolve(WINDOWS_CERTIFICATE), resolve(WINDOWS_CERTIFICATE_PASSWORD_FILE)];
  await requireProgram();
  requireUsable(await certificateIn(certificate, passwordFile), certificate, now);
  return { certificate, passwordFile, timestampUrl: WINDOWS_TIMESTAMP_URL || null, url };
}

function refuse(sentence: string): never {
  throw new BuildFailed('other', sentence);
}

async function requireProgram(): Promise<void> {
  await run('osslsigncode', ['--version']).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT')
      refuse('WINDOWS_CERTIFICATE is set, and osslsigncode, which signs with it, is not on this computer: apt-get install osslsigncode.');
  });
}

async function certificateIn(path: string, passwordFile: string): Promise<X509Certificate> {
  const pfx = await contentOf('WINDOWS_CERTIFICATE', path);
  // osslsigncode leaves out the end of the line too.
  const passphrase = String(await contentOf('WINDOWS_CERTIFICATE_PASSWORD_FILE', passwordFile)).replace(/[\r\n]+$/, '');
  const secureContext = openedContext(pfx, passphrase, path, passwordFile);
  const socket = new TLSSocket(new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }), { isServer: true, secureContext });
  try {
    return socket.getX509Certificate() ?? refuse(`${path} has no certificate in it.`);
  } finally {
    socket.destroy();
  }
}

const contentOf = (setting: string, path: string): Promise<Buffer> =>
  readFile(path).catch((err: NodeJS.ErrnoException) => refuse(`${setting} is ${path}, which cannot be read (${err.code}).`));

function openedContext(pfx: Buffer, passphrase: string, path: string, passwordFile: string) {
  try {
    return createSecureContext({ pfx, passphrase });
  } catch (err) {
    const { message } = err as Error;
    if (/mac verify|decrypt/i.test(message)) return refuse(`The password in ${passwordFile} does not open ${path}.`);
    if (/unsupported/i.test(message))
      return refuse(
        `${path} is encrypted in an old way. Convert it: openssl pkcs12 -legacy -in OLD -out ALL.pem, then openssl pkcs12 -export.`,
      );
    return refuse(`${path} is not a PKCS #12 file (.p12 or .pfx) with a certificate and its key: ${message}.`);
  }
}

function requireUsable(found: X509Certificate, path: string, now: Date): void {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const [from, to] = [new Date(found.validFrom), new Date(found.validTo)];
  if (to <= now) refuse(`The certificate in ${path} expired on ${day(to)}. Windows refuses what it signs: get a new one.`);
  if (from > now) refuse(`The certificate in ${path} is valid from ${day(from)} on. Is the clock of this computer right?`);
  if (!found.keyUsage?.includes(codeSigning))
    refuse(`The certificate in ${path} is not one for signing code, so Windows refuses what it signs.`);
}
