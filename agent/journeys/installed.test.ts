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

describe('an agent as it is installed', () => {
  test.each(['win-x64', 'darwin-arm64', 'darwin-x64', 'linux-x64'] as const)(
    'the bundled script for %s imports nothing but Node',
    async (target) => {
      const script = await bundle(target, nativeName(target), { version: '1.2.3', target, key: key.public_key });
      const needed = new Set([...script.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name));
      expect([...needed].filter((name) => !name.startsWith('node:') && !['fs', 'path', 'util', 'module', 'os'].includes(name))).toEqual([]);
      expect(script).not.toContain('import.meta');
      // Each system has its own parts and not those of the others.
      expect(script.includes('libproc.dylib')).toBe(target.startsWith('darwin'));
      expect(script.includes('xdg-open')).toBe(target === 'linux-x64');
    },
  );

  test('[P3.2] the server and its keys come from the operator’s signed file, and an unsigned one is refused', async () => {
    const server = await serverForTest();
    const [place, folder] = [await temporaryFolder(), join(await temporaryFolder(), 'data')];
    const keys = {
      link: server.keys.link.public_key,
      policy: server.keys.policy.public_key,
      definitions: server.keys.definitions.public_key,
    };
    const operator = signDocument({ public_url: server.url, keys }, key);
    const open = (pair = key) => operatorIn(place, (document, schema) => openDocument(document, pair.public_key, schema));
    expect(await open()).toBeNull();
    writeFileSync(join(place, 'operator.json'), JSON.stringify(operator));
    expect(await open()).toEqual(serverKeys.parse({ public_url: server.url, keys }));
    await expect(open(newKeyPair())).rejects.toThrow('Install Porchlight again');
    for (const wrong of ['', '{}', 'null', JSON.stringify({ ...operator, payload: operator.payload.replace('127', '128') })]) {
      writeFileSync(join(place, 'operator.json'), wrong);
      await expect(open()).rejects.toThrow('Install Porchlight again');
    }

    // The program itself: its own Node lies beside the file.
    writeFileSync(join(place, 'operator.json'), JSON.stringify(operator));
    execFileSync('cp', [process.execPath, join(place, 'node')]);
    writeFileSync(
      join(place, 'agent.cjs'),
      await bundle('linux-x64', 'koffi.node', { version: '1.2.3', target: 'linux-x64', key: key.public_key }),
    );
    mkdirSync(folder);
    writeFileSync(join(folder, 'enrol'), 'ABCD-EFGH');
    const env = { PATH: process.env.PATH, AGENT_DATA_DIR: folder, AGENT_LOOPBACK_PORT: '0' };
    const child = spawn(join(place, 'node'), [join(place, 'agent.cjs'), '--installed'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    await until('the link', () => said.includes('Linked as Laptop.'));
    await until('the code to be used up', () => !existsSync(join(folder, 'enrol')));
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    // The keys were there: nobody was asked for them.
    expect(server.calls).not.toContain('GET /agent/server');
  });

  test('a stale lock file of a dead agent does not block the next one', async () => {
    const folder = await temporaryFolder();
    const first = await lockFolder(folder, 'darwin');
    expect(first).not.toBeNull();
    expect(await lockFolder(folder, 'darwin')).toBeNull();
    await first?.release();
    const script = `import { lockFolder } from ${JSON.stringify(new URL('../state/lock.ts', import.meta.url).href)};
      if (!(await lockFolder(process.argv[1], 'darwin'))) process.exit(2);
      process.kill(process.pid, 'SIGKILL');`;
    for (let round = 0; round < 2; round++)
      expect(spawnSync(process.execPath, ['--input-type=module', '-e', script, folder]).signal).toBe('SIGKILL');
    expect(readdirSync(folder)).toEqual(['lock']);
    const mine = await lockFolder(folder, 'darwin');
    expect(mine).not.toBeNull();
    await mine?.release();
  });
});
