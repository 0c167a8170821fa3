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
 * Is it a process of Windows itself, never to be ended? By its name, where it lies where Windows has it: anything else may call itself
 * the same. Of the innermost ones not even the path may be asked; then the name counts.
 */
export function isSystems(name: string, path: string | null): boolean {
  if (!names.has(name.toLowerCase())) return false;
  if (path === null || !/[\\/]/.test(path)) return true;
  return /^([a-z]:|\\device\\[^\\]+|\\systemroot)?\\(windows\\)?(system32\\)?[^\\]+$/i.test(path);
}
