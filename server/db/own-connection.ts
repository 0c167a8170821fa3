import { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import pg from 'pg';

/** A connection of its own, outside of the pools. */
export interface OwnConnection {
  client: pg.Client;
  isEnded(): boolean;
  end(): void;
  /** Resolves when the connection is lost, ended or aborted. Never rejects. */
  ended: Promise<void>;
}

/**
 * `signal` ends the connection at any time, even if PostgreSQL never answers. `prepare`: sends its first statements; if that fails the
 * connection is ended, and the promise rejects.
 */
export async function openOwnConnection(
  config: pg.ClientConfig,
  signal: AbortSignal,
  prepare: (client: pg.Client) => Promise<unknown>,
): Promise<OwnConnection> {
  const socket = addAbortSignal(signal, new Socket());
  const ended = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const client = new pg.Client({ fallback_application_name: 'porchlight', ...config, stream: () => socket });
  // Without a listener for errors, a lost connection would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
    await prepare(client);
  } catch (reason) {
    socket.destroy();
    throw reason;
  }
  return { client, isEnded: () => socket.destroyed, end: () => void socket.destroy(), ended };
}
