import pg from 'pg';
import { vi } from 'vitest';

/** All statements that this process sends during `work`, besides those of jobs. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const querySpy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const texts = (querySpy.mock.calls as unknown as [string | { text: string }][]).map(([query]) =>
      typeof query === 'string' ? query : query.text,
    );
    return texts.filter((text) => !/\bjobs\b|carriers|listening/.test(text));
  } finally {
    querySpy.mockRestore();
  }
}
