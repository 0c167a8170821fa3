import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from '@porchlight/packaging/bundle.ts';
import { executable } from '@porchlight/packaging/executable.ts';
import { fetched } from '@porchlight/packaging/fetch.ts';
import { nativeName, type Program } from '@porchlight/packaging/programs.ts';
import { nativeParts, runtimes } from '@porchlight/packaging/targets.ts';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { root } from '../root.ts';

const run = promisify(execFile);
const cache = join(root, '.cache', 'installers');
const made = join(root, '.cache', 'windows');
const target = 'win-x64';
const script = fileURLToPath(new URL('../../packaging/windows/porchlight.nsi', import.meta.url));

/** Node for Windows, for a program that is neither ours nor a tool's. */
export const nodeForWindows = () => fetched(runtimes[target], cache);

/** The agent for Windows as it is installed. `key` is who signs its updates. The same sources are built once: that takes a while. */
export async function buildAgent(version: string, key: string): Promise<Program> {
  const name = nativeName(target);
  const runtime = await nodeForWindows();
  const hostRuntime = await fetched(runtimes['linux-x64'], cache);
  const native = await nativePart();
  const code = await bundle(target, name, { version, target, key });
  const kept = join(made, `${createHash('sha256').update(code).update(runtime).digest('hex').slice(0, 24)}.exe`);
  const before = await readFile(kept).catch(() => null);
  const agent =
    before ??
    (await executable({ ...{ target, runtime, hostRuntime, version }, script: code, identifier: 'porchlight', work: await folder() }));
  if (!before) {
    await writeFile(`${kept}.part`, agent);
    await rename(`${kept}.part`, kept);
  }
  return { target, agent, native: { name, content: await readFile(native) } };
}

const folder = async () => {
  await mkdir(made, { recursive: true });
  return made;
};
const nativePart = () => fetched(nativeParts[target], cache);

/** What is installed, in a folder: the program, and what lies beside it. */
export async function stageAgent(stage: string, { agent, native }: Program, operator: object): Promise<void> {
  await mkdir(stage, { recursive: true });
  await writeFile(join(stage, 'porchlight-agent.exe'), agent);
  await writeFile(join(stage, native.name), native.content);
  await writeFile(join(stage, 'operator.json'), JSON.stringify(operator));
}

/** The installer of what lies in `stage`, written to `out`. Packed fast, and large. */
export async function buildInstaller(stage: string, version: string, out: string): Promise<void> {
  await run('makensis', ['-V1', '-DFAST', `-DSTAGE=${stage}`, `-DOUT=${out}`, `-DVERSION=${version}`, '-DSCRIPT=', script]);
}

/** A small program that does these lines of NSIS when it starts, shows nothing, and ends. */
export async function buildSmall(out: string, lines: string[]): Promise<void> {
  const text = [
    ...['Unicode true', 'Target amd64-unicode', 'RequestExecutionLevel user', 'SilentInstall silent', `OutFile "${out}"`],
    ...['Section', ...lines, 'SectionEnd', ''],
  ].join('\n');
  await writeFile(`${out}.nsi`, text);
  await run('makensis', ['-V1', `${out}.nsi`]);
}

export interface FakeTool {
  name: string;
  original_name: string;
  product: string;
  company: string;
}

/** This program, saying of itself that it is that tool. */
function saying(program: NtExecutable, { original_name, product, company }: FakeTool): Buffer {
  const resources = NtExecutableResource.from(program);
  const [found] = Resource.VersionInfo.fromEntries(resources.entries);
  const info = found ?? Resource.VersionInfo.createEmpty();
  const language = { lang: 1033, codepage: 1200 };
  info.setStringValues(language, { OriginalFilename: original_name, ProductName: product, CompanyName: company, FileDescription: product });
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

/** A folder with a program that says of itself that it is this tool, under a name of its own, and its script. Not signed. */
export async function buildFakeTool(place: string, tool: FakeTool): Promise<void> {
  await mkdir(place, { recursive: true });
  const program = NtExecutable.from(await readFile(await nodeForWindows()), { ignoreCert: true });
  await writeFile(join(place, tool.name), saying(program, tool));
  await writeScript(place, new URL('./fake-tool.ts', import.meta.url));
}

/** A folder with Node for Windows, `node.exe`, and this source of ours as a script, `NAME.cjs`, with what it loads. */
export async function buildScript(place: string, source: URL): Promise<void> {
  await mkdir(place, { recursive: true });
  await copyFile(await nodeForWindows(), join(place, 'node.exe'));
  await writeScript(place, source);
}

/** What it loads is looked for beside the program that runs it. */
async function writeScript(place: string, source: URL): Promise<void> {
  await copyFile(await nativePart(), join(place, 'koffi.node'));
  const entry = fileURLToPath(source);
  await writeFile(join(place, `${basename(entry, '.ts')}.cjs`), await bundle(target, 'koffi.node', null, entry));
}

/** A file that says the same and cannot be started: for what only lies there. */
export async function writeIdleTool(place: string, tool: FakeTool): Promise<void> {
  await mkdir(place, { recursive: true });
  await writeFile(join(place, tool.name), saying(NtExecutable.createEmpty(false, false), tool));
}
