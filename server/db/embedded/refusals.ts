/** Each way in which the embedded database refuses to start, in a sentence that the person at the terminal can act on. */

/** It cannot run on this machine at all. */
export class NoEmbedded extends Error {
  constructor(why: string) {
    super(`The embedded PostgreSQL cannot run here: ${why}. Set DATABASE_URL to a PostgreSQL of your own.`);
    this.name = 'NoEmbedded';
  }
}

/** There is no room left where its files are. What was made half is removed. */
export class NoRoom extends Error {
  constructor(folder: string) {
    super(`The disk that holds ${folder} is full. Free some space and start Porchlight again.`);
    this.name = 'NoRoom';
  }
}

/** Another living process has the folder. */
export class FolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(`Porchlight is already running on ${folder} (process ${pid}). Stop that one, or choose another DATA_DIR.`);
    this.name = 'FolderInUse';
  }
}

/** The folder was made by another major version, or is not a database at all. It is left exactly as it is. */
export class WrongFolder extends Error {
  constructor(folder: string, why: string) {
    super(`The database in ${folder} was left untouched: ${why}`);
    this.name = 'WrongFolder';
  }
}

/** PostgreSQL was started and did not become ready. */
export class StartFailed extends Error {
  constructor(logFile: string, lastLines: string) {
    super(`The embedded PostgreSQL did not start. Its log is ${logFile} and ends with:\n${lastLines}`);
    this.name = 'StartFailed';
  }
}
