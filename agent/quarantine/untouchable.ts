const system = [
  /^\/(bin|boot|dev(?!\/shm\/)|etc|lib|lib32|lib64|libx32|proc|run|sbin|sys|System)(\/|$)/,
  /^\/usr(\/(?!local\/)|$)/,
  /^\/var\/(lib|db)\//,
  /^\/(private\/(etc|var\/db)|Library\/Apple)(\/|$)/,
  /^(\\\\\?\\)?[a-z]:\\(windows|boot|recovery|\$)/i,
  /^(\\\\\?\\)?[a-z]:\\program files( \(x86\))?\\(windows |common files\\(microsoft|system))/i,
];
/** Start-up files in system folders, the only files there that may be removed. */
const startUp = [/^\/etc\/xdg\/autostart\/[^/]+\.desktop$/, /^\/Library\/Launch(Daemons|Agents)\/[^/]+\.plist$/];
const startUpLines = [/^\/etc\/crontab$/, /^\/etc\/cron\.d\/[^/]+$/];

/** Whether a path must never be changed, whatever the definitions say; true also for relative paths and `..`. */
export function isUntouchable(path: string, as: 'file' | 'start_up' | 'line' = 'file'): boolean {
  if (!/^(\/|[a-z]:\\|\\\\\?\\)/i.test(path) || path.split(/[/\\]/).includes('..')) return true;
  if (as === 'start_up' && startUp.some((pattern) => pattern.test(path))) return false;
  if (as === 'line' && startUpLines.some((pattern) => pattern.test(path))) return false;
  return system.some((pattern) => pattern.test(path));
}
