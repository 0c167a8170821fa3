import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { root } from '../root.ts';
import { git } from './git.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-release-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;
const dependencies = { '@porchlight/contract': '1.0.0', zod: '4.6.7' };
const server = { name: '@porchlight/server', version: '1.0.0', dependencies };
const contract = { name: '@porchlight/contract', version: '1.0.0', dependencies: { zod: '4.6.7' } };
const whole = { name: 'porchlight', version: '1.0.0', workspaces: ['contract', 'server'] };

const files: Record<string, string> = {
  'CHANGELOG.md': '# Changes\n\n## Unreleased\n\n- One thing.\n- Another thing.\n',
  'package.json': json(whole),
  'contract/package.json': json(contract),
  'server/package.json': json(server),
  'package-lock.json': json({
    ...{ name: 'porchlight', version: '1.0.0', lockfileVersion: 3 },
    packages: {
      '': whole,
      contract,
      server,
      'node_modules/@porchlight/contract': { resolved: 'contract', link: true },
      'node_modules/zod': { version: '4.6.7', license: 'MIT', integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}` },
      'node_modules/vitest': { version: '5.0.4', license: 'MIT', dev: true, integrity: `sha512-${Buffer.alloc(64, 2).toString('base64')}` },
    },
  }),
  'server/main.ts': 'export {};\n',
  'server/main.test.ts': 'export {};\n',
  'packaging/run.sh': '#!/bin/sh\n',
  '.gitignore': 'dist/\n',
};

/** A small repository of the shape of ours, with one commit. */
export function smallRepository(change: Record<string, string> = {}): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries({ ...files, ...change })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  copyFileSync(join(root, '.dockerignore'), join(folder, '.dockerignore'));
  chmodSync(join(folder, 'packaging/run.sh'), 0o755);
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  // The settings of the computer must not decide what a test sees.
  for (const [name, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@porchlight.example'],
    ['user.signingkey', ''],
    ['commit.gpgsign', 'false'],
  ] as const)
    git(folder, ['config', name, value]);
  git(folder, ['add', '--all']);
  git(folder, ['commit', '--quiet', '--message', 'first']);
  return folder;
}

/** Builds the dashboard of a small repository. */
export async function buildSmall(checkout: string): Promise<void> {
  mkdirSync(join(checkout, 'dashboard/dist/assets'), { recursive: true });
  writeFileSync(join(checkout, 'dashboard/dist/index.html'), '<!doctype html>');
  writeFileSync(join(checkout, 'dashboard/dist/assets/main.js'), '');
}

/** A key of ssh-keygen, and the file by which others verify what it signs. */
export function signingKey(type = 'ed25519'): { key: string; signers: string } {
  const folder = temporaryFolder();
  const [key, signers] = [join(folder, 'key'), join(folder, 'signers')];
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', '', '-f', key]);
  const publicKey = execFileSync('ssh-keygen', ['-y', '-f', key], { encoding: 'utf8' });
  writeFileSync(signers, `releases namespaces="porchlight-release" ${publicKey}`);
  return { key, signers };
}
