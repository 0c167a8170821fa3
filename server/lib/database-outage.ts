import { NoConnection } from '../db/connection-queue.ts';

/** By the SQLSTATE of PostgreSQL: it cannot take this now, and may soon. Classes 08 (connection) and 53 (disk full, too many connections, no memory). */
const states = /^(08...|53...|57P0[1-5]|58030|25006)$/;

/** By the code of Node: the database is away, or this computer has no room left. */
const system = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|ENOSPC|EDQUOT|EROFS|EMFILE|ENFILE)$/;

/** The driver gives these no code. */
const sayings =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Connection ended)/;

/** Does this error come from a database or a disk that cannot serve now? The same call may work later, so it is 503 and not 500. */
export function isOutage(err: unknown): boolean {
  if (!(err instanceof Error)) return false;
  if (err instanceof NoConnection) return true;
  const { code, syscall } = err as NodeJS.ErrnoException;
  if (typeof code === 'string' && (states.test(code) || system.test(code))) return true;
  // The socket of the embedded database is a file.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  return sayings.test(err.message);
}

/** Is there no room left, on the disk of the database or on ours? */
export function isDiskFull(err: unknown): boolean {
  const code = err instanceof Error ? (err as NodeJS.ErrnoException).code : undefined;
  return code === '53100' || code === 'ENOSPC' || code === 'EDQUOT';
}
