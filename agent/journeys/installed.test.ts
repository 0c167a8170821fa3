// Tier: whole. It starts installed agents as processes.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverKeys } from '@porchlight/contract/agent.ts';
import { newKeyPair, openDocument, signDocument } from '@porchlight/definitions/signature.ts';
import { bundle } from '@porchlight/packaging/bundle.ts';
import { nativeName } from '@porchlight/packaging/programs.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operatorIn } from '../lib/operator.ts';
import { lockFolder } from '../state/lock.ts';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { until } from '../testing/until.ts';

const key = newKeyPair();

describe('an installed agent', () => {
  test.each(['win-x64', 'darwin-arm64', 'darwin-x64', 'linux-x64'] as const)(
    "the bundled script for %s imports no modules other than Node's own",
    async (target) => {
      const script = await bundle(target, nativeName(target), { version: '1.2.3', target, key: key.public_key });
      const needed = new Set([...script.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name));
      expect([...needed].filter((name) => !name.startsWith('node:') && !['fs', 'path', 'util', 'module', 'os'].includes(name))).toEqual([]);
      expect(script).not.toContain('import.meta');
      expect(script.includes('libproc.dylib')).toBe(target.startsWith('darwin'));
      expect(script.includes('xdg-open')).toBe(target === 'linux-x64');
    },
  );

  test('[P3.2] the server and its keys come from the operator’s signed file, and an unsigned one is refused', async () => {
    const server = await serverForTest();
    const [programFolder, folder] = [await temporaryFolder(), join(await temporaryFolder(), 'data')];
    const keys = {
      link: server.keys.link.public_key,
      policy: server.keys.policy.public_key,
      definitions: server.keys.definitions.public_key,
    };
    const operator = signDocument({ public_url: server.url, keys }, key);
    const openOperator = (pair = key) => operatorIn(programFolder, (document, schema) => openDocument(document, pair.public_key, schema));
    expect(await openOperator()).toBeNull();
    writeFileSync(join(programFolder, 'operator.json'), JSON.stringify(operator));
    expect(await openOperator()).toEqual(serverKeys.parse({ public_url: server.url, keys }));
    await expect(openOperator(newKeyPair())).rejects.toThrow('Install Porchlight again');
    for (const invalidContent of ['', '{}', 'null', JSON.stringify({ ...operator, payload: operator.payload.replace('127', '128') })]) {
      writeFileSync(join(programFolder, 'operator.json'), invalidContent);
      await expect(openOperator()).rejects.toThrow('Install Porchlight again');
    }

    writeFileSync(join(programFolder, 'operator.json'), JSON.stringify(operator));
    execFileSync('cp', [process.execPath, join(programFolder, 'node')]);
    writeFileSync(
      join(programFolder, 'agent.cjs'),
      await bundle('linux-x64', 'koffi.node', { version: '1.2.3', target: 'linux-x64', key: key.public_key }),
    );
    mkdirSync(folder);
    writeFileSync(join(folder, 'enrol'), 'ABCD-EFGH');
    const env = { PATH: process.env.PATH, AGENT_DATA_DIR: folder, AGENT_LOOPBACK_PORT: '0' };
    const child = spawn(join(programFolder, 'node'), [join(programFolder, 'agent.cjs'), '--installed'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    await until('the link', () => output.includes('Linked as Laptop.'));
    await until('the code to be used up', () => !existsSync(join(folder, 'enrol')));
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    expect(server.calls).not.toContain('GET /agent/server');
  });

  test('a stale lock file of a dead agent does not block the next one', async () => {
    const folder = await temporaryFolder();
    const firstLock = await lockFolder(folder, 'darwin');
    expect(firstLock).not.toBeNull();
    expect(await lockFolder(folder, 'darwin')).toBeNull();
    await firstLock?.release();
    const script = `import { lockFolder } from ${JSON.stringify(new URL('../state/lock.ts', import.meta.url).href)};
      if (!(await lockFolder(process.argv[1], 'darwin'))) process.exit(2);
      process.kill(process.pid, 'SIGKILL');`;
    for (let round = 0; round < 2; round++)
      expect(spawnSync(process.execPath, ['--input-type=module', '-e', script, folder]).signal).toBe('SIGKILL');
    expect(readdirSync(folder)).toEqual(['lock']);
    const ownLock = await lockFolder(folder, 'darwin');
    expect(ownLock).not.toBeNull();
    await ownLock?.release();
  });
});
