import { win32 } from 'node:path';

/** Without these programs Windows stops or becomes unusable. */
const systemNames = new Set([
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
 * Is it a process of Windows that must never be ended? Name and folder count, since any program can use the name. Protected processes hide
 * their path; then the name alone counts.
 */
export function isSystemProcess(name: string, path: string | null, systemRoot = process.env.SystemRoot ?? 'C:\\Windows'): boolean {
  if (!systemNames.has(name.toLowerCase())) return false;
  if (path === null || !/[\\/]/.test(path)) return true;
  const root = win32.resolve(systemRoot).toLowerCase();
  const folder = win32
    .dirname(path)
    .toLowerCase()
    .replace(/^\\(\?\?|\\\?)\\(?=[a-z]:)/, '')
    .replace(/^\\systemroot(?=\\|$)/, () => root)
    // Only volumes without a drive letter have such names; mounting one takes an administrator.
    .replace(/^\\device\\harddiskvolume\d+(?=\\)/, root.slice(0, 2));
  return folder === root || folder === `${root}\\system32`;
}
