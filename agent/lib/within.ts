/** Waits so many milliseconds at most. False when it was not over by then; what it throws by then is thrown. It goes on all the same. */
export async function within(ms: number, work: Promise<unknown> | null | undefined): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
