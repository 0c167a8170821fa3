import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

export interface PageEnv {
  ProgramFiles?: string | undefined;
  'ProgramFiles(x86)'?: string | undefined;
  SystemRoot?: string | undefined;
}

/** The command that shows an address: Edge without toolbars, or else the default browser. */
export function pageCommand(url: string, env: PageEnv, exists: (path: string) => boolean = existsSync): { file: string; args: string[] } {
  const edgePaths = [env['ProgramFiles(x86)'], env.ProgramFiles].flatMap((folder) =>
    folder ? [win32.join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe')] : [],
  );
  const edge = edgePaths.find(exists);
  if (edge) return { file: edge, args: [`--app=${url}`, '--no-first-run'] };
  return { file: win32.join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'rundll32.exe'), args: ['url.dll,FileProtocolHandler', url] };
}

export function openPage(url: string, env: PageEnv): boolean {
  const { file, args } = pageCommand(url, env);
  if (!existsSync(file)) return false;
  const child = spawn(file, args, { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
  return true;
}
