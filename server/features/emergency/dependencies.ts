import type { Db, Trx } from '../../db/open.ts';

/** What *Stop this* and *I need help now* need of incidents and devices. */

export interface Place {
  uuid: string;
  name: string;
}

export interface Presser {
  /** The account's or the guardian's id; null for somebody at the computer. */
  person: string | null;
  /** A first name, or the device's name for somebody at the computer. */
  name: string;
}

export interface EmergencyIncidents {
  /** Opens or prolongs the incident at a device. Null: it happened too long ago. */
  open(
    trx: Trx,
    opening: {
      account: string;
      device: Place;
      opener: 'help' | 'guardian_stop';
      what: string | null;
      time: Date;
      person?: string | null;
    },
  ): Promise<string | null>;
  /** The newest first. */
  openOf(account: string, connection?: Db | Trx): Promise<{ uuid: string; device: string }[]>;
  addEvent(
    trx: Trx,
    incident: string,
    event: {
      kind: 'stop' | 'isolated' | 'isolation_lost' | 'isolation_back' | 'reconnected';
      person: string | null;
      name: string | null;
      what: string | null;
      /** When it was done. The notification carries the same time, by which the incident's page finds it. */
      time: Date;
    },
  ): Promise<unknown>;
}

/** Ends the device's pause, and raises its policy version. */
export type Resume = (trx: Trx, account: string, device: string) => Promise<unknown>;
