import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from '@porchlight/packaging/bundle.ts';
import { executable } from '@porchlight/packaging/executable.ts';
import { fetchPackageFile } from '@porchlight/packaging/fetch.ts';
import { nativeName, type Program } from '@porchlight/packaging/programs.ts';
import { nativeParts, runtimes } from '@porchlight/packaging/targets.ts';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { root } from '../root.ts';

const run = promisify(execFile);
const cache = join(root, '.cache', 'installers');
const outputFolder = join(root, '.cache', 'windows');
const target = 'win-x64';
const script = fileURLToPath(new URL('../../packaging/windows/porchlight.nsi', import.meta.url));

/** Node, as a program that neither belongs to the product nor is a tool. */
export const nodeForWindows = () => fetchPackageFile(runtimes[target], cache);

/** Builds the agent, once for the same sources because it takes a while. `key`: signs its updates. */
export async function buildAgent(version: string, key: string): Promise<Program> {
  const name = nativeName(target);
  const runtime = await nodeForWindows();
  const hostRuntime = await fetchPackageFile(runtimes['linux-x64'], cache);
  const native = await nativePart();
  const code = await bundle(target, name, { version, target, key });
  const cached = join(outputFolder, `${createHash('sha256').update(code).update(runtime).digest('hex').slice(0, 24)}.exe`);
  const cachedAgent = await readFile(cached).catch(() => null);
  const agent =
    cachedAgent ??
    (await executable({ ...{ target, runtime, hostRuntime, version }, script: code, identifier: 'porchlight', work: await folder() }));
  if (!cachedAgent) {
    await writeFile(`${cached}.part`, agent);
    await rename(`${cached}.part`, cached);
  }
  return { target, agent, native: { name, content: await readFile(native) } };
}

const folder = async () => {
  await mkdir(outputFolder, { recursive: true });
  return outputFolder;
};
const nativePart = () => fetchPackageFile(nativeParts[target], cache);

export async function stageAgent(stageFolder: string, { agent, native }: Program, operator: object): Promise<void> {
  await mkdir(stageFolder, { recursive: true });
  await writeFile(join(stageFolder, 'porchlight-agent.exe'), agent);
  await writeFile(join(stageFolder, native.name), native.content);
  await writeFile(join(stageFolder, 'operator.json'), JSON.stringify(operator));
}

export async function buildInstaller(stageFolder: string, version: string, out: string): Promise<void> {
  await run('makensis', ['-V1', '-DFAST', `-DSTAGE=${stageFolder}`, `-DOUT=${out}`, `-DVERSION=${version}`, '-DSCRIPT=', script]);
}

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

function withVersionInfo(program: NtExecutable, { original_name, product, company }: FakeTool): Buffer {
  const resources = NtExecutableResource.from(program);
  const [versionInfo] = Resource.VersionInfo.fromEntries(resources.entries);
  const info = versionInfo ?? Resource.VersionInfo.createEmpty();
  const language = { lang: 1033, codepage: 1200 };
  info.setStringValues(language, { OriginalFilename: original_name, ProductName: product, CompanyName: company, FileDescription: product });
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

export async function buildFakeTool(toolFolder: string, tool: FakeTool): Promise<void> {
  await mkdir(toolFolder, { recursive: true });
  const program = NtExecutable.from(await readFile(await nodeForWindows()), { ignoreCert: true });
  await writeFile(join(toolFolder, tool.name), withVersionInfo(program, tool));
  await writeScript(toolFolder, new URL('./fake-tool.ts', import.meta.url));
}

/** Makes a folder with Node for Windows, `node.exe`, and this source as a script, `NAME.cjs`, with its native part. */
export async function buildScript(scriptFolder: string, source: URL): Promise<void> {
  await mkdir(scriptFolder, { recursive: true });
  await copyFile(await nodeForWindows(), join(scriptFolder, 'node.exe'));
  await writeScript(scriptFolder, source);
}

/** Bundles a script that loads the native part from its own folder. */
async function writeScript(scriptFolder: string, source: URL): Promise<void> {
  await copyFile(await nativePart(), join(scriptFolder, 'koffi.node'));
  const entry = fileURLToPath(source);
  await writeFile(join(scriptFolder, `${basename(entry, '.ts')}.cjs`), await bundle(target, 'koffi.node', null, entry));
}

/** Writes a file with the version information of a tool that cannot be started. */
export async function writeIdleTool(toolFolder: string, tool: FakeTool): Promise<void> {
  await mkdir(toolFolder, { recursive: true });
  await writeFile(join(toolFolder, tool.name), withVersionInfo(NtExecutable.createEmpty(false, false), tool));
}
