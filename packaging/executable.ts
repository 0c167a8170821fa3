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
 * V8 never gives back memory taken between collections, so the young generation is small, and the agent calls `gc()` after reading much.
 */
const v8Options = ['--max-semi-space-size=1', '--expose-gc'];
/** Node looks for this marker in itself to find an embedded program. */
const seaMarker = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export interface ExecutableParts {
  target: Target;
  script: string;
  /** `runtime`: Node for the target; `hostRuntime`: the same version for this computer. */
  runtime: string;
  hostRuntime: string;
  version: string;
  identifier: string;
  work: string;
}

/**
 * Builds a program that needs no Node on the computer. The same parts give the same bytes. Signed for macOS, where nothing unsigned starts.
 */
export async function executable(parts: ExecutableParts): Promise<Buffer> {
  const { target, script, runtime, hostRuntime, version, identifier } = parts;
  const workFolder = await mkdtemp(join(parts.work, `${target}-`));
  try {
    const [main, blob, file, config] = ['agent.cjs', 'agent.blob', 'agent', 'sea.json'].map((name) => join(workFolder, name)) as [
      string,
      string,
      string,
      string,
    ];
    await writeFile(main, script);
    await writeFile(
      config,
      JSON.stringify({ main: 'agent.cjs', output: 'agent.blob', disableExperimentalSEAWarning: true, execArgv: v8Options }),
    );
    await run(hostRuntime, ['--experimental-sea-config', config], { cwd: workFolder });
    await copyFile(runtime, file);
    await chmod(file, 0o755);
    if (target === 'win-x64') await writeFile(file, describeWindows(await readFile(file), version));
    // The tool runs in a separate process, because it needs almost a gigabyte, which is freed only at its end.
    const cli = join(dirname(createRequire(import.meta.url).resolve('postject')), 'cli.js');
    const segment = target.startsWith('darwin') ? ['--macho-segment-name', 'NODE_SEA'] : [];
    await run(process.execPath, [cli, file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', seaMarker, ...segment], { maxBuffer: 1 << 26 });
    const builtProgram = await readFile(file);
    return target.startsWith('darwin') ? signAdHoc(builtProgram, identifier) : builtProgram;
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}
