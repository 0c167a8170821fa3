import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import type { Category, Certainty, SignedDocument } from '@porchlight/contract/shapes.ts';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The tables as TypeScript sees them; `migrations/` is what makes them. Each is written by one store only. */

type Json<T extends object> = JSONColumnType<T>;
/** Filled in by the database when left out. */
type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface Tables {
  server_keys: { purpose: string; public_key: string; sealed_private_key: string };
  rate_counts: { key: string; count: number; ends: Date };

  accounts: {
    uuid: string;
    name: string;
    email: string;
    email_verified: Generated<boolean>;
    password_hash: string;
    device_limit: number;
    created: Date;
  };
  sessions: { token_hash: Buffer; uuid: string; account: string; created: Date; last_used: Date };
  email_links: {
    token_hash: Buffer;
    account: string;
    purpose: 'confirm' | 'reset';
    email: string;
    created: Date;
    expires: Date;
    used: Maybe<Date>;
  };

  devices: {
    uuid: string;
    account: string;
    name: string;
    policy: PolicyId;
    policy_version: Generated<number>;
    info: ColumnType<AgentInfo | null, string | null | undefined, string | null>;
    created: Date;
    installed: Maybe<Date>;
    last_seen: Maybe<Date>;
    last_detection: Maybe<Date>;
    protecting: Generated<boolean>;
  };
  device_codes: { code: string; device: string; nonce: string; created: Date; expires: Date; used: Maybe<Date> };
  /** A token outlives its device, so that the agent can be told that it was removed (P3.6). */
  device_tokens: { token_hash: Buffer; device: string | null; created: Date };

  definition_sets: { version: number; content_hash: string; document: Json<SignedDocument>; issued: Date };

  detections: {
    uuid: string;
    device: string;
    account: string;
    time: Date;
    received: Date;
    name: string;
    identifier: string;
    category: Category;
    details: string;
    blocked: boolean;
    certainty: Certainty;
    /** The detection that opened the alert into which this one is counted (P5.3); null for one that opened an alert itself. */
    counted_into: Maybe<string>;
  };

  guardians: {
    uuid: string;
    account: string;
    name: string;
    email: string;
    key_version: Generated<number>;
    invited: Date;
    accepted: Maybe<Date>;
  };
  guardian_sessions: { token_hash: Buffer; guardian: string; key_version: number; created: Date };

  jobs: {
    id: string;
    kind: string;
    payload: Json<object>;
    unique_key: string;
    run_at: Date;
    attempts: Generated<number>;
    created: Date;
    done_at: Maybe<Date>;
    failed_at: Maybe<Date>;
    last_error: Maybe<string>;
  };
}
