export interface MacProcess {
  pid: number;
  ppid: number;
  /** Start time in seconds and microseconds since 1970, as text. */
  started: string;
  zombie: boolean;
  /** The real user. */
  uid: number;
  /** The pid of the leader of its process group. */
  group: number;
  /** Has it a terminal? */
  terminal: boolean;
}

export interface MacNative {
  pids(): number[];
  process(pid: number): MacProcess | null;
  path(pid: number): string | null;
  /** True on success, also when the process no longer exists. */
  signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): boolean;
  /** Runs a program with `input` as standard input. Never rejects. */
  run(program: string, args: string[], input?: string): Promise<{ code: number; out: string }>;
}
