import { NoConnection } from '../db/connection-queue.ts';

/** Temporary SQLSTATEs: classes 08 (connection) and 53 (disk full, too many connections, no memory), and some others. */
const sqlStates = /^(08...|53...|57P0[1-5]|58030|25006)$/;

/** The database is unreachable, or this computer's disk is full. */
const systemCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|ENOSPC|EDQUOT|EROFS|EMFILE|ENFILE)$/;

/** Messages of the driver's errors without a code. */
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Connection ended)/;

/** Temporary errors: the same call may work later, so the answer is 503 and not 500. */
export function isOutage(err: unknown): boolean {
  if (!(err instanceof Error)) return false;
  if (err instanceof NoConnection) return true;
  const { code, syscall } = err as NodeJS.ErrnoException;
  if (typeof code === 'string' && (sqlStates.test(code) || systemCodes.test(code))) return true;
  // The socket of the embedded database is a file.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  return driverMessages.test(err.message);
}

/** Whether the disk of the database or of this server is full. */
export function isDiskFull(err: unknown): boolean {
  const code = err instanceof Error ? (err as NodeJS.ErrnoException).code : undefined;
  return code === '53100' || code === 'ENOSPC' || code === 'EDQUOT';
}
