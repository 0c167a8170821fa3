import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Refused } from './refused.ts';

/** Keeps a signature of another kind, of a commit for example, from counting as one of a release. */
export const signatureNamespace = 'porchlight-release';
export const sumsName = 'SHA256SUMS';
export const signatureName = `${sumsName}.sig`;

/** `key`: null for a release without a signature. */
export function requireKey(key: string | null): void {
  if (key === null) return;
  if (key === '')
    throw new Refused(
      'RELEASE_SIGNING_KEY is missing: the file of the key that signs the checksums. Make one with ssh-keygen -t ed25519, or release with --unsigned.',
    );
  if (!existsSync(key)) throw new Refused(`RELEASE_SIGNING_KEY is ${key}, and there is no such file.`);
  const { error, stdout } = spawnSync('ssh-keygen', ['-l', '-f', key], { encoding: 'utf8' });
  if (error) throw new Refused('ssh-keygen, which signs the checksums, is not on this computer: apt-get install openssh-client.');
  if (!/\(ED25519(-SK)?\)\s*$/.test(stdout)) throw new Refused(`${key} is no Ed25519 key. Make one with ssh-keygen -t ed25519.`);
}

/** Writes the signature beside the file. A key with a passphrase asks for it in the terminal. */
export function signFile(file: string, key: string): void {
  const { status } = spawnSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', signatureNamespace, file], {
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Refused('The checksums were not signed. Run the same command again; what is committed and tagged stays.');
}
