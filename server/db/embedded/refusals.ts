export class NoEmbedded extends Error {
  constructor(problem: string) {
    super(`The embedded PostgreSQL cannot run here: ${problem}. Set DATABASE_URL to a PostgreSQL of your own.`);
    this.name = 'NoEmbedded';
  }
}

export class NoRoom extends Error {
  constructor(folder: string) {
    super(`The disk that holds ${folder} is full. Free some space and start Porchlight again.`);
    this.name = 'NoRoom';
  }
}

export class FolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(`Porchlight is already running on ${folder} (process ${pid}). Stop that one, or choose another DATA_DIR.`);
    this.name = 'FolderInUse';
  }
}

export class WrongFolder extends Error {
  constructor(folder: string, problem: string) {
    super(`The database in ${folder} was left untouched: ${problem}`);
    this.name = 'WrongFolder';
  }
}

export class StartFailed extends Error {
  constructor(logFile: string, lastLines: string) {
    super(`The embedded PostgreSQL did not start. Its log is ${logFile} and ends with:\n${lastLines}`);
    this.name = 'StartFailed';
  }
}
