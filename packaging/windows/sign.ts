import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brand } from '@porchlight/contract/brand.ts';
import { BuildFailed } from '../build-failed.ts';

const run = promisify(execFile);

export interface WindowsSigning {
  /** The path of a PKCS #12 file with the certificate, its private key and the certificates between it and its root. */
  certificate: string;
  /** The path of the file with its password, which would be visible in the list of processes as an argument. */
  passwordFile: string;
  /** An RFC 3161 server. Null: no signature is valid for longer than the certificate. */
  timestampUrl: string | null;
  /** Shown beside the name when Windows asks whether the installer may run. */
  url: string;
}

/** Signs a program for Windows, or leaves it as it is where there is no certificate. */
export type SignProgram = (program: Buffer) => Promise<Buffer>;

export const unsigned: SignProgram = async (program) => program;

/** Signs a copy in a folder that only this user can read, and gives it back. */
export const signerOf =
  (signing: WindowsSigning): SignProgram =>
  async (program) => {
    const folder = await mkdtemp(join(tmpdir(), 'porchlight-sign-'));
    try {
      const file = join(folder, 'program');
      await writeFile(file, program);
      await signInPlace(file, signing);
      return await readFile(file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

/** How the sentence about a failure begins. */
export const signatureNotMade = 'The signature for Windows was not made.';

/** Signs the whole file, so nothing may change it afterwards. An earlier signature is replaced. */
export async function signInPlace(file: string, { certificate, passwordFile, timestampUrl, url }: WindowsSigning): Promise<void> {
  const signed = `${file}.signed`;
  await rm(signed, { force: true });
  const identity = ['-pkcs12', certificate, '-readpass', passwordFile];
  const facts = ['-h', 'sha256', '-n', brand.name, '-i', url, ...(timestampUrl ? ['-ts', timestampUrl] : [])];
  try {
    await run('osslsigncode', ['sign', ...identity, ...facts, '-in', file, '-out', signed]);
  } catch (err) {
    await rm(signed, { force: true });
    throw new BuildFailed('other', `${signatureNotMade} osslsigncode says: ${answerOf(err)}`);
  }
  await chmod(signed, (await stat(file)).mode);
  await rename(signed, file);
}

function answerOf(err: unknown): string {
  const { stdout = '', stderr = '', message } = err as Error & { stdout?: string; stderr?: string };
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
  return lines.filter((line) => line && line !== 'Failed').join('; ') || message;
}
