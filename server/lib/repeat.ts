/** Does `work` again and again, `every_ms` apart and never twice at a time, until it is closed. A failure goes to `failed`; the next turn comes all the same. */
export function repeat(every_ms: number, work: () => Promise<unknown>, failed: (err: unknown) => void): { close(): Promise<void> } {
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch(failed)
      .finally(() => {
        running = null;
      });
  }, every_ms).unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
