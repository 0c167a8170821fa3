import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promtoolProgram } from '@porchlight/packaging/testing/promtool.ts';
import { resolvedProgram } from '@porchlight/packaging/testing/systemd-resolved.ts';
import { findProgram, type UnpackedProgram, unpackedLibraries, unpackedPath } from '@porchlight/packaging/testing/unpacked-program.ts';
import { aptUnpack, hasApt } from './debian.ts';

/** The server by which servers and gateways hear of changes. `server/testing/nats-server.ts` starts it. */
export const natsServerProgram: UnpackedProgram = { name: 'nats-server', debianPackage: 'nats-server', path: '/usr/sbin/nats-server' };

/** Unpacks the programs that are not found into .cache. A failure is printed, and the tests that need the program are skipped. */
export async function fetchMissingPrograms(): Promise<void> {
  for (const program of [promtoolProgram, natsServerProgram, resolvedProgram])
    if (!findProgram(program) && hasApt()) await fetchProgram(program);
}

async function fetchProgram(program: UnpackedProgram): Promise<void> {
  const { name, debianPackage, path, libraries } = program;
  console.log(`Unpacking ${name} of Debian's ${debianPackage} into .cache.`);
  const folder = dirname(unpackedPath(program));
  await mkdir(folder, { recursive: true });
  const workFolder = await mkdtemp(join(folder, 'unpacking-'));
  try {
    const unpacked = join(workFolder, path);
    if (libraries && aptUnpack(libraries.debianPackage, `.${libraries.path}`, workFolder)) {
      await rename(join(workFolder, libraries.path), unpackedLibraries(program));
    }
    const env = { ...process.env, LD_LIBRARY_PATH: unpackedLibraries(program) };
    const works = aptUnpack(debianPackage, `.${path}`, workFolder) && spawnSync(unpacked, ['--version'], { env }).status === 0;
    if (works) await rename(unpacked, unpackedPath(program));
    else console.log(`No ${name} could be unpacked from Debian's ${debianPackage}.`);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}
