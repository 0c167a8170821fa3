/** The newest published definitions; version 0 before the first publication. */
export interface NewestDefinitions {
  epoch: number;
  version: number;
}

/** `steady`: the device was in the last presence statement of the server that answers the poll, and will be in the next one. */
export interface PollStart {
  protecting: boolean;
  steady: boolean;
}

export interface PollBegun {
  device: string;
  policy_version: number;
  /** The longest wait in seconds. */
  wait_max: number;
  newest: NewestDefinitions;
}

/** What long polls need from the database. A gateway, which has none, asks a server that has one. */
export interface PollBackend {
  /**
   * Authenticates a long poll and notes that its device is connected. `token_hash`: see `tokenHash`. `caller`: see `callerOf`. Throws
   * `unauthorized` and `device_removed`.
   */
  begin(token_hash: Buffer, caller: string, start: PollStart): Promise<PollBegun>;
  /** The devices whose policy is newer than the known version, and removed ones. */
  changedOf(known: Map<string, number>): Promise<string[]>;
  newest(): Promise<NewestDefinitions>;
  /** Notes that these devices are connected now. Returns those that could not be noted, because something else was changing them. */
  present(devices: string[]): Promise<string[]>;
}
