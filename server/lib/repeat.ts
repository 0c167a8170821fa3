/** `work` never runs twice at a time. A failure goes to `failed`, and does not end the repetition. */
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
