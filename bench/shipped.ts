import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '@porchlight/agent/testing/server.ts';
import { newKeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { root } from '@porchlight/dev/root.ts';
import { buildProgram } from '@porchlight/packaging/programs.ts';

export interface Shipped {
  program: string;
  installFor(server: TestServer): Promise<void>;
}

/** Builds the program like `npm run installers`, with the same download cache. */
export async function shipped(folder: string, log: (line: string) => void): Promise<Shipped> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('What is shipped is measured on Linux (x64) alone.');
  const key = newKeyPair();
  const cache = join(root, '.cache', 'installers');
  const { agent, native } = await buildProgram({ target: 'linux-x64', version: '1.0.0', key: key.public_key, cache });
  await mkdir(folder, { recursive: true });
  const program = join(folder, 'porchlight-agent');
  await writeFile(program, agent);
  await chmod(program, 0o755);
  await writeFile(join(folder, native.name), native.content);
  for (const name of [program, join(folder, native.name)]) asAfterStart(name);
  log(`measured is what is shipped: one executable of ${(agent.length / 1e6).toFixed(0)} MB`);
  return {
    program,
    async installFor({ url, keys: { link, policy, definitions } }) {
      const keys = { link: link.public_key, policy: policy.public_key, definitions: definitions.public_key };
      await writeFile(join(folder, 'operator.json'), JSON.stringify(signDocument({ public_url: url, keys }, key)));
    },
  };
}

/** Drops a file from the page cache. Large cached pieces of a fresh file count as the process's memory: 20 MB more than after a reboot. */
function asAfterStart(path: string): void {
  execFileSync('dd', [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none']);
}
