/** What the kernel says of one process. */
export interface MacProcess {
  pid: number;
  ppid: number;
  /** Seconds and microseconds since 1970, as text: with the pid it names this very process. */
  started: string;
  /** It has ended and waits to be collected. */
  zombie: boolean;
}

/** The thin layer to macOS itself; all above it runs anywhere, on one that does as a test says. */
export interface MacNative {
  pids(): number[];
  /** Null when there is no such process (any more). */
  process(pid: number): MacProcess | null;
  /** The file that it runs; null where the kernel does not say. */
  path(pid: number): string | null;
  /** True when it was delivered, or nobody was left. */
  signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): boolean;
  /** Runs a program of the system to its end, with `input` to read: its exit code and what it wrote. Never rejects. */
  run(program: string, args: string[], input?: string): Promise<{ code: number; out: string }>;
}
