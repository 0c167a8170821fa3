import type { ColumnType } from 'kysely';

/** No row begins with a former app. */
type Former<T> = ColumnType<T | null, never, T | null>;

export interface SignInTables {
  /** `transports`: joined by commas, as the browser named them. `counter`: of the newest answer; 0 for synced passkeys. */
  passkeys: {
    uuid: string;
    account: string;
    credential_id: Buffer;
    public_key: Buffer;
    /** PostgreSQL's bigint arrives as text. */
    counter: ColumnType<string, number, number>;
    transports: ColumnType<string, string | undefined, string>;
    name: string;
    created: Date;
    last_used: ColumnType<Date | null, Date | null | undefined, Date | null>;
  };
  /** Answered questions for a passkey until they end, since each counts once. */
  used_passkey_questions: { question_hash: Buffer; ends: Date };
  /**
   * `last_step`: the time step of the newest accepted code (RFC 6238), since each code counts once. `setup`: what the app was set up with, which
   * no other app has; null for apps of earlier versions.
   *
   * `former_…`: the app that was in force before those that a link can still remove; no code of it counts. `former_until`: when the first of those
   * was added, also if none was in force before; null if that is the present one.
   */
  authenticators: {
    account: string;
    sealed_secret: string;
    created: Date;
    last_step: ColumnType<string, number, number | string>;
    setup: ColumnType<string | null, string | null | undefined, string | null>;
    former_secret: Former<string>;
    former_created: Former<Date>;
    former_last_step: Former<string>;
    former_setup: Former<string>;
    former_until: Former<Date>;
  };
  /** Set-ups of authenticator apps until they end, since each counts once. */
  used_authenticator_setups: { setup: string; ends: Date };
  /** Unused ones. */
  recovery_codes: { account: string; code_hash: Buffer; created: Date };
  /** Accounts that will be deleted at `deletes` unless it is taken back (P13.2). */
  account_deletions: { account: string; asked: Date; deletes: Date };
}
