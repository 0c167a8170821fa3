/** What the simulators get from whoever starts them; `server/lib` has the ones that store in the database. */
export interface Clock {
  now(): Date;
}

/** Something that a simulator has accepted. `received`: ISO 8601. */
export interface StoredItem {
  id: string;
  received: string;
  content: Buffer;
}

export interface StoredItems {
  add(content: Buffer): Promise<void>;
  /** Newest first. */
  list(): Promise<StoredItem[]>;
}

/** A JSON document that several processes read and change. */
export interface SharedDocument<T> {
  /** Runs `work` on the newest content while nobody else may, and resolves with its answer when the change is stored. */
  change<R>(work: (content: T) => R): Promise<R>;
  read<R>(look: (content: T) => R): Promise<R>;
}
