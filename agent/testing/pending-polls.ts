/** The polls that a fake server has not answered yet. */
export function pendingPolls() {
  const polls = new Set<() => void>();
  return {
    /** Resolves after `seconds`, at the next change, or when the agent has gone. */
    wait: (seconds: number, gone: AbortSignal) =>
      new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          polls.delete(finish);
          resolve();
        };
        const timer = setTimeout(finish, seconds * 1000);
        polls.add(finish);
        gone.addEventListener('abort', finish);
      }),
    finish() {
      for (const finish of polls) finish();
    },
  };
}
