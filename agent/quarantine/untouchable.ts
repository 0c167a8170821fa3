const system = [
  /^\/(bin|boot|dev(?!\/shm\/)|etc|lib|lib32|lib64|libx32|proc|run|sbin|sys|System)(\/|$)/,
  /^\/usr(\/(?!local\/)|$)/,
  /^\/var\/(lib|db)\//,
  /^\/(private\/(etc|var\/db)|Library\/Apple)(\/|$)/,
  /^(\\\\\?\\)?[a-z]:\\(windows|boot|recovery|\$)/i,
  /^(\\\\\?\\)?[a-z]:\\program files( \(x86\))?\\(windows |common files\\(microsoft|system))/i,
];
/** Where the system has people put what starts by itself: such a file may go although it lies among the system's. */
const startUp = [/^\/etc\/xdg\/autostart\/[^/]+\.desktop$/, /^\/Library\/Launch(Daemons|Agents)\/[^/]+\.plist$/];
const startUpLines = [/^\/etc\/crontab$/, /^\/etc\/cron\.d\/[^/]+$/];

/** Is this a path that nothing may ever be taken from, whatever the definitions say? Whole paths only, without `..`. */
export function isUntouchable(path: string, as: 'file' | 'start_up' | 'line' = 'file'): boolean {
  if (!/^(\/|[a-z]:\\|\\\\\?\\)/i.test(path) || path.split(/[/\\]/).includes('..')) return true;
  if (as === 'start_up' && startUp.some((place) => place.test(path))) return false;
  if (as === 'line' && startUpLines.some((place) => place.test(path))) return false;
  return system.some((place) => place.test(path));
}
