import { win32 } from 'node:path';

/** Without these Windows stops at once, or nobody can use it any more. */
const names = new Set([
  'csrss.exe',
  'dwm.exe',
  'explorer.exe',
  'lsaiso.exe',
  'lsass.exe',
  'logonui.exe',
  'memory compression',
  'ntoskrnl.exe',
  'registry',
  'secure system',
  'services.exe',
  'sihost.exe',
  'smss.exe',
  'svchost.exe',
  'system',
  'userinit.exe',
  'wininit.exe',
  'winlogon.exe',
]);

/**
 * Is it a process of Windows itself, never to be ended? By its name, where it lies where this Windows has it: anything else may call itself
 * the same. Of the innermost ones not even the path may be asked; then the name counts.
 */
export function isSystems(name: string, path: string | null, systemRoot = process.env.SystemRoot ?? 'C:\\Windows'): boolean {
  if (!names.has(name.toLowerCase())) return false;
  if (path === null || !/[\\/]/.test(path)) return true;
  const root = win32.resolve(systemRoot).toLowerCase();
  const folder = win32
    .dirname(path)
    .toLowerCase()
    .replace(/^\\(\?\?|\\\?)\\(?=[a-z]:)/, '')
    .replace(/^\\systemroot(?=\\|$)/, () => root)
    // A volume is called so only where it has no letter, as ours has; what is plugged in without one takes an administrator.
    .replace(/^\\device\\harddiskvolume\d+(?=\\)/, root.slice(0, 2));
  return folder === root || folder === `${root}\\system32`;
}
