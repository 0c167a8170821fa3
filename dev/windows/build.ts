import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from '@porchlight/agent/installers/bundle.ts';
import { executable } from '@porchlight/agent/installers/executable.ts';
import { fetched } from '@porchlight/agent/installers/fetch.ts';
import { nativeParts, runtimes } from '@porchlight/agent/installers/targets.ts';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { root } from '../root.ts';

const run = promisify(execFile);
const cache = join(root, '.cache', 'installers');
const script = fileURLToPath(new URL('../../agent/os/windows/installer/porchlight.nsi', import.meta.url));

/** The agent for Windows as it is installed: a folder with the executable and what lies beside it. */
export async function buildAgent(work: string): Promise<string> {
  const stage = join(work, 'stage');
  await mkdir(stage);
  const made = await executable({
    target: 'win-x64',
    script: await bundle('win-x64', 'koffi.node', null),
    runtime: await fetched(runtimes['win-x64'], cache),
    hostRuntime: await fetched(runtimes['linux-x64'], cache),
    version: '1.0.0',
    identifier: 'porchlight',
    work,
  });
  await writeFile(join(stage, 'porchlight-agent.exe'), made);
  await copyFile(await fetched(nativeParts['win-x64'], cache), join(stage, 'koffi.node'));
  return stage;
}

/** The installer of what lies in `stage`, written to `out`. Packed fast, and large. */
export async function buildInstaller(stage: string, version: string, out: string): Promise<void> {
  await run('makensis', ['-V1', '-DFAST', `-DSTAGE=${stage}`, `-DOUT=${out}`, `-DVERSION=${version}`, '-DSCRIPT=', script]);
}

export interface FakeTool {
  name: string;
  original_name: string;
  product: string;
  company: string;
}

/** A folder with a program that says of itself that it is this tool, under a name of its own, and its script. Not signed. */
export async function buildFakeTool(folder: string, { name, original_name, product, company }: FakeTool): Promise<void> {
  await mkdir(folder, { recursive: true });
  const program = NtExecutable.from(await readFile(await fetched(runtimes['win-x64'], cache)), { ignoreCert: true });
  const resources = NtExecutableResource.from(program);
  const [info] = Resource.VersionInfo.fromEntries(resources.entries);
  const language = { lang: 1033, codepage: 1200 };
  info?.setStringValues(language, {
    OriginalFilename: original_name,
    ProductName: product,
    CompanyName: company,
    FileDescription: product,
  });
  info?.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  await writeFile(join(folder, name), Buffer.from(program.generate()));
  await copyFile(await fetched(nativeParts['win-x64'], cache), join(folder, 'koffi.node'));
  const entry = fileURLToPath(new URL('./fake-tool.ts', import.meta.url));
  await writeFile(join(folder, 'tool.cjs'), await bundle('win-x64', 'koffi.node', null, entry));
}
