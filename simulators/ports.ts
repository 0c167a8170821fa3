/** Dependencies of the simulators; `server/lib` has implementations that store in the database. */
export interface Clock {
  now(): Date;
}

/** A stored message. `received`: ISO 8601. */
export interface StoredItem {
  id: string;
  received: string;
  content: Buffer;
}

export interface StoredItems {
  add(content: Buffer): Promise<void>;
  list(): Promise<StoredItem[]>;
}

/** A JSON document that several processes read and change. */
export interface SharedDocument<T> {
  /** Runs `work` exclusively on the newest content, and resolves with its result when the change is stored. */
  change<R>(work: (content: T) => R): Promise<R>;
  read<R>(select: (content: T) => R): Promise<R>;
}
