/** `host`: of the address that the file came from, where the mark names it. `unknown`: there is no mark, and the absence of one proves nothing. */
export type Origin = { from: 'internet'; host: string | null } | { from: 'local' } | { from: 'unknown' };

/** The file that a process runs. */
export interface LaunchedFile {
  file: string;
  /** Survives renaming: device, inode and time of birth, or volume and file number. Another file never has it while this one exists. */
  id: string;
  origin: Origin;
}

export interface LaunchedBy {
  pid: number;
  path: string;
  command_line?: string;
}

export interface ProgramOrigin {
  /**
   * Of the program's file, or of the package, script or installer that an interpreter or installer runs. Costs a few system calls. Null when
   * the file cannot be read, such as after the process has ended.
   */
  of(process: LaunchedBy): LaunchedFile | null;
  /** The same of a file that the command line of a process names. Null when it cannot be read, or its folder is not known. */
  ofFile(process: Pick<LaunchedBy, 'pid'>, path: string): LaunchedFile | null;
  close(): void;
}

/** Without the folder, of both kinds of paths. */
export const fileNameOf = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

const programName = (path: string) =>
  fileNameOf(path)
    .toLowerCase()
    .replace(/\.exe$/, '');

/** Reads the arguments without the name of the program. */
type Reader = (args: string[]) => (string | undefined)[];

/** The first argument that is not an option. `valued`: options whose value is the next argument. `inline`: options after which no file is run. */
const script =
  (inline: RegExp, valued = /^$/): Reader =>
  (args) => {
    for (let n = 0; n < args.length; n++) {
      const argument = args[n] ?? '';
      if (argument === '--') return [args[n + 1]];
      if (!/^[-+]./.test(argument)) return [argument];
      if (inline.test(argument)) return [];
      if (valued.test(argument)) n += 1;
    }
    return [];
  };

/** The argument after an option, or joined to it. */
const valueOf =
  (option: RegExp): Reader =>
  (args) =>
    args.flatMap((argument, n) => {
      const found = option.exec(argument);
      return found ? [argument.slice(found[0].length).replace(/^[=:]/, '') || args[n + 1]] : [];
    });

/** All arguments with this ending: commands that take many files. */
const named =
  (ending: RegExp): Reader =>
  (args) =>
    args.flatMap((argument) => (ending.test(argument) ? [argument.replace(/^--[\w-]+=/, '').replace(/^file:\/\//, '')] : []));

/** Only after one of these commands: `apt remove ./x.deb` runs nothing. */
const after =
  (command: RegExp, read: Reader): Reader =>
  (args) =>
    args.some((argument) => command.test(argument)) ? read(args) : [];

const notSwitch: Reader = (args) => [args.find((argument) => !/^[/-]/.test(argument))];
const shell = script(/^-[a-z]*[cs][a-z]*$/i, /^([-+][a-z]*o|-O|--rcfile|--init-file)$/);
const library: Reader = (args) => notSwitch(args).map((argument) => argument?.replace(/,[^,\\/]*$/, ''));
/** `cmd /c ""C:\My Files\x.bat" "`: its quotes follow other rules, so the arguments are joined again. */
const batch: Reader = (args) => {
  const command = args.slice(args.findIndex((argument) => /^\/[ck]/i.test(argument)) + 1).join(' ');
  return [/(?:[a-z]:\\[^"<>|]{0,260}?|(?<![^\s"])[^\s"]+)\.(?:bat|cmd|vbs|js|ps1|exe|msi)(?=$|[\s"])/i.exec(command)?.[0]];
};
const powershell: Reader = (args) => {
  const [file] = valueOf(/^[-/]f(i(le?)?)?$/i)(args);
  return [file ?? args.find((argument) => /\.ps1$/i.test(argument))];
};

const wine = /^wine(64)?(-preloader)?$/;
const windowsProgram = /\.exe$/i;
/** By the name of their executable: in their processes another program runs, which the command line names. */
const runners: [name: RegExp, read: Reader][] = [
  [/^(r?ba|da|z|k|mk|fi|a|)sh$/, shell],
  [/^busybox$/, (args) => (/^(|ba|a|hu)sh$/.test(args[0] ?? '') ? shell(args.slice(1)) : [])],
  [/^(python|pypy)[\d.]*w?$|^py$/, script(/^-[a-zA-Z]*[cm]$/, /^-[WX]$/)],
  [/^(perl|ruby|lua|php)[\d.]*$/, script(/^-[a-z]*[er]$/i, /^-[Ic]$/)],
  [/^(node|nodejs|deno|bun)$/, script(/^(-[a-z]*[ep]|--eval|--print)$/, /^(-r|--require|--import)$/)],
  [/^javaw?$/, valueOf(/^-jar$/)],
  [wine, script(/^--(help|version)$/)],
  [
    /^(ld-.*\.so|ld\.so$)/,
    script(/^--(list|verify|help|version|list-.*)$/, /^--(library-path|preload|argv0|audit|inhibit-rpath|glibc-hwcaps-\w+)$/),
  ],
  // The emulators of single programs: not `qemu-system-x86_64`, which runs a whole computer.
  [/^qemu-(x86_64|i386|aarch64|arm|riscv64)(-static)?$/, script(/^--?(h|help|version)$/, /^-([LEU0gsRBrdDp]|cpu|dfilter|seed|plugin)$/)],
  [/^(box(64|86)|fexinterpreter|fexloader|fex)$/, script(/^(--?(v|h|version|help))$/)],
  [/^msiexec$/, valueOf(/^[-/](i|a|package|jm|ju|j)(?=$|["a-z]:|\\)|^[-/]package/i)],
];

/** Other programs that run or install files, by the name of their executable. */
const installers: [name: RegExp, read: Reader][] = [
  [/^dpkg$/, after(/^(-i|--install|--unpack)$/, named(/\.deb$/i))],
  [
    /^(apt|apt-get|aptitude|dnf[\d-]*|yum|zypper|pkcon|flatpak|snap)$/,
    after(/^(re)?install(-local)?$|^in$/, named(/\.(deb|rpm|snap|flatpak(ref)?)$/i)),
  ],
  [/^rpm$/, after(/^(-[a-zA-Z]*[iUF][a-zA-Z]*|--(re)?install|--upgrade)$/, named(/\.rpm$/i))],
  [/^(gdebi(-gtk|-kde)?|qapt-deb-installer|gnome-software|plasma-discover|eddy|captain)$/, named(/\.(deb|rpm|snap|flatpak(ref)?)$/i)],
  [/^(gio|dex|exo-open)$/, named(/\.desktop$/i)],
  [/^[wc]script$/, notSwitch],
  [/^(mshta|osascript)$/, script(/^-e$/, /^-[ls]$/)],
  [/^(powershell|pwsh)$/, powershell],
  [/^cmd$/, batch],
  [/^(rundll32|regsvr32)$/, library],
];

/**
 * The files that an interpreter or installer runs, as its command line names them; none for other programs, for code in the command line, and
 * for addresses. `args`: without the name of the program.
 */
export function filesRunBy(path: string, args: string[]): string[] {
  const name = programName(path);
  const read = [...runners, ...installers].find(([pattern]) => pattern.test(name))?.[1];
  return read?.(args).flatMap((file) => (file && !/^(https?|ftp):/i.test(file) ? [file.replace(/^"|"$/g, '')] : [])) ?? [];
}

/** The commands of BusyBox share one file, and the command line begins with the name of the command. */
export function runnerOf(path: string, command: string): string {
  const applet = programName(command).replace(/^-/, '');
  return programName(path) === 'busybox' && applet ? applet : path;
}

/** Whether other programs run in the processes of this executable. */
export const isRunner = (path: string): boolean => runners.some(([pattern]) => pattern.test(programName(path)));

const MAX_RUNNERS = 4;
/** Scripts that start, stop or tend a program, whose name they have: what they start is another process. */
const tendsProgram = /^\/etc\/(init\.d|rc\w*\.d|cron\.\w+)\//;

interface RunFile {
  path: string;
  isWindows: boolean;
  /** The arguments before its own. */
  skipped: number;
}

/**
 * The program that runs in the process of a loader, an emulator or an interpreter, which may run another one: `box64 wine64 AnyDesk.exe`. Null
 * for other programs. `comm`: the name that the process has given itself, as Wine does.
 */
export function programRunBy(path: string, [command = '', ...args]: string[], comm: string): RunFile | null {
  // Wine takes itself out of its command line.
  const isShifted = wine.test(programName(path)) && windowsProgram.test(command);
  let run: RunFile = { path: isShifted ? command : runnerOf(path, command), isWindows: isShifted, skipped: 0 };
  for (let depth = 0; depth < MAX_RUNNERS; depth++) {
    const runner = programName(run.path);
    const isWine = wine.test(runner);
    const file = runners.find(([pattern]) => pattern.test(runner))?.[1](args.slice(run.skipped))[0];
    if (!file && isWine && windowsProgram.test(comm)) return { ...run, path: comm, isWindows: true };
    if (!file) return depth || isShifted ? run : null;
    if (tendsProgram.test(file)) return null;
    run = { path: file, isWindows: run.isWindows || isWine, skipped: args.indexOf(file, run.skipped) + 1 };
  }
  return run;
}

/** The arguments of a command line of Windows, without the name of the program and without quotes. */
export function argumentsOf(commandLine: string): string[] {
  const found = commandLine.match(/(?:[^\s"]|"[^"]*(?:"|$))+/g) ?? [];
  return found.slice(1).map((argument) => argument.replaceAll('"', ''));
}

/** Null when the text is no address with a host. */
export function hostOf(address: string | null | undefined): string | null {
  const url = address && URL.canParse(address) ? new URL(address) : null;
  return url && /^(https?|ftp):$/.test(url.protocol) ? url.hostname || null : null;
}
