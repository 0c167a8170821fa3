import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { signAdHoc } from './macos/sign.ts';
import type { Target } from './targets.ts';
import { describeWindows } from './windows/resources.ts';

const run = promisify(execFile);
/**
 * Options of V8. New objects are collected after every megabyte, and not after sixteen: what is taken up in between is never given back. And it
 * can be asked to collect, which the agent does when it has read much.
 */
const engine = ['--max-semi-space-size=1', '--expose-gc'];
/** Node searches itself for this mark to know that it carries a program. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export interface ExecutableParts {
  target: Target;
  /** The whole program, as one script. */
  script: string;
  /** Node for the target, and Node of the same version for this computer. */
  runtime: string;
  hostRuntime: string;
  version: string;
  identifier: string;
  /** A folder for what is made on the way. */
  work: string;
}

/** One file that needs no Node on the computer. The same parts give the same bytes. Signed on macOS, where nothing starts without. */
export async function executable(parts: ExecutableParts): Promise<Buffer> {
  const { target, script, runtime, hostRuntime, version, identifier } = parts;
  const work = await mkdtemp(join(parts.work, `${target}-`));
  try {
    const [main, blob, file, config] = ['agent.cjs', 'agent.blob', 'agent', 'sea.json'].map((name) => join(work, name)) as [
      string,
      string,
      string,
      string,
    ];
    await writeFile(main, script);
    await writeFile(
      config,
      JSON.stringify({ main: 'agent.cjs', output: 'agent.blob', disableExperimentalSEAWarning: true, execArgv: engine }),
    );
    await run(hostRuntime, ['--experimental-sea-config', config], { cwd: work });
    await copyFile(runtime, file);
    await chmod(file, 0o755);
    if (target === 'win-x64') await writeFile(file, describeWindows(await readFile(file), version));
    // In a process of its own: it needs almost a gigabyte, and gives it back only when it ends.
    const cli = join(dirname(createRequire(import.meta.url).resolve('postject')), 'cli.js');
    const segment = target.startsWith('darwin') ? ['--macho-segment-name', 'NODE_SEA'] : [];
    await run(process.execPath, [cli, file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...segment], { maxBuffer: 1 << 26 });
    const made = await readFile(file);
    return target.startsWith('darwin') ? signAdHoc(made, identifier) : made;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
