import { execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { promisify } from 'node:util';
import { operatorIn } from '@porchlight/agent/lib/operator.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { layout } from '../linux/layout.ts';
import type { RowTools } from './rows.ts';
import type { CheckedSystem } from './system.ts';
import { registryKeys } from './windows-parse.ts';

const programFolders: Record<CheckedSystem['platform'], string> = {
  win32: 'C:\\Program Files\\Porchlight',
  darwin: '/Library/Application Support/Porchlight',
  linux: layout.folder,
};

/** Where the agent of this computer is and answers. The settings of the installer count before those of the environment. */
export async function installedAgent(
  platform: CheckedSystem['platform'],
  env: NodeJS.ProcessEnv,
): Promise<{ folders: RowTools['folders']; port: number; origin: string }> {
  const settings = platform === 'win32' ? await windowsSettings(env) : undefined;
  const program = programFolders[platform];
  const server = settings?.get('server') || env.PORCHLIGHT_SERVER || (await serverBeside(program)) || 'http://localhost:4380';
  return {
    folders: { program, state: settings?.get('data') || win32.join(env.ProgramData ?? 'C:\\ProgramData', 'Porchlight') },
    port: Number(settings?.get('port') || env.AGENT_LOOPBACK_PORT || limits.loopback_port),
    origin: new URL(server).origin,
  };
}

/** The signature is not verified: the address only says in whose name the agent on this computer is asked. */
async function serverBeside(program: string): Promise<string | undefined> {
  const operator = await operatorIn(program, ({ payload }, shape) => shape.parse(JSON.parse(payload)));
  return operator?.public_url;
}

async function windowsSettings({ SystemRoot = 'C:\\Windows' }: NodeJS.ProcessEnv): Promise<Map<string, string> | undefined> {
  const command = win32.join(SystemRoot, 'System32', 'reg.exe');
  const { stdout } = await promisify(execFile)(command, ['query', 'HKLM\\SOFTWARE\\Porchlight']).catch(() => ({ stdout: '' }));
  return registryKeys(stdout)[0]?.values;
}
