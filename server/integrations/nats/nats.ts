import { setTimeout as wait } from 'node:timers/promises';
import { connect, headers, type Msg, type NatsConnection, type Status, type Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { within } from '../../lib/within.ts';
import { natsAddress } from './nats-address.ts';
import { NatsAway, RequestFailed, requestError } from './request-errors.ts';
import { errorHeader, type RequestHandler, type Responder, responder, timeoutHeader } from './responder.ts';

/** Messages are delivered at most once, and only between processes that are connected: all that matters has to be in the database. */
export interface Nats {
  /** The text is dropped without a connection. Throws if it is longer than NATS allows (1 MB by default). */
  publish(subject: string, text: string): void;
  subscribe(subject: string, callback: (text: string) => void): void;
  /** Rejects with `NatsAway`, at once where nobody can answer, or with `RequestFailed`. */
  request(subject: string, text: string, timeout_ms: number): Promise<string>;
  /** Each request is answered by one of the processes that respond with the same `queue`. See `responder` for the limits. */
  respond(subject: string, queue: string, handler: RequestHandler): void;
  /** `callback` is called after each connection, also the present one, once the server of NATS has all subscriptions made so far. */
  onConnected(callback: () => void): void;
  isConnected(): boolean;
  /** Answers the requests that it has, sends what is published, and ends the connection, in six seconds at most. */
  close(): Promise<void>;
}

interface NatsDeps {
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The name of this process, for the operator of NATS. */
  name: string;
  /** A connection that has not answered for three times this long is given up. */
  ping_ms?: number;
}

const connectTimeout_ms = 5_000;
/** Between two attempts, plus a random time, so that not all processes connect at once after an outage. */
const reconnectPause_ms = 500;
const reconnectJitter_ms = 1_500;
const finishTimeout_ms = 5_000;
const endTimeout_ms = 1_000;

/** Connects in the background and reconnects until it is closed. Throws `NatsAddressError` if the URL is wrong. */
export function connectNats(url: string, { log, name, ping_ms = 10_000 }: NatsDeps): Nats {
  const { options: address, shown } = natsAddress(url);
  const closing = new AbortController();
  const { signal } = closing;
  const options = {
    ...address,
    name,
    timeout: connectTimeout_ms,
    pingInterval: ping_ms,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectPause_ms,
    reconnectJitter: reconnectJitter_ms,
    reconnectJitterTLS: reconnectJitter_ms,
    // A password may be corrected while this process runs.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
    // It is called before each attempt, and its error ends the first connection, which the library cannot abort otherwise.
    reconnectToServer: () => {
      signal.throwIfAborted();
      return null;
    },
  };
  /** Null without a connection, and until the server of NATS has the subscriptions. */
  let ready: NatsConnection | null = null;
  let current: NatsConnection | null = null;
  /** The subscriptions of the current connection. */
  let active: Subscription[] = [];
  let lastError = '';
  const subscriptions: ((connection: NatsConnection) => Subscription)[] = [];
  const responders: Responder[] = [];
  const connectedCallbacks: (() => void)[] = [];
  const pendingRequests = new Set<(reason: NatsAway) => void>();

  /** An error in a callback would end the library's reading of the connection. */
  const guarded = (callback: () => void) => {
    try {
      callback();
    } catch (err) {
      log.error({ err }, 'A callback of NATS failed.');
    }
  };

  const addSubscription = (subject: string, queue: string | undefined, receive: (message: Msg) => void) => {
    const subscribeWith = (connection: NatsConnection) =>
      connection.subscribe(subject, {
        ...(queue === undefined ? {} : { queue }),
        callback: (err, message) => {
          if (err) log.error({ err }, `NATS refuses the subscription to ${subject}.`);
          else guarded(() => receive(message));
        },
      });
    subscriptions.push(subscribeWith);
    if (current) active.push(subscribeWith(current));
  };

  const setReady = async (connection: NatsConnection) => {
    const isFlushed = await connection.flush().then(
      () => true,
      () => false,
    );
    if (!isFlushed || signal.aborted) return;
    ready = connection;
    lastError = '';
    log.info(`Connected to NATS at ${connection.getServer()}.`);
    for (const callback of connectedCallbacks) guarded(callback);
  };

  const rejectRequests = () => {
    for (const reject of pendingRequests) reject(new NatsAway('connection_lost'));
  };

  const setLost = () => {
    if (ready) log.warn(`The connection to NATS at ${shown} is lost; trying again.`);
    ready = null;
    rejectRequests();
  };

  const onStatus = (connection: NatsConnection, status: Status) => {
    if (status.type === 'reconnect') void setReady(connection);
    if (status.type === 'disconnect') setLost();
    // The library would wait until the operating system gives the connection up, if there is something left to send.
    if (status.type === 'staleConnection') void connection.close();
    if (status.type === 'error' && status.error.name !== lastError) {
      lastError = status.error.name;
      log.warn({ err: status.error }, 'NATS has answered with an error.');
    }
  };

  const open = async (): Promise<NatsConnection> => {
    try {
      return await connect(options);
    } catch (err) {
      signal.throwIfAborted();
      // The library gives no reason for a later attempt that fails.
      log.warn({ err }, `There is no connection to NATS at ${shown} yet; trying again.`);
      return connect({ ...options, waitOnFirstConnect: true });
    }
  };

  /** Until the connection is closed for good, which happens if it is stale or was ended by `close`. */
  const follow = async (connection: NatsConnection) => {
    current = connection;
    const statuses = connection.status();
    active = subscriptions.map((subscribeWith) => subscribeWith(connection));
    void setReady(connection);
    for await (const status of statuses) onStatus(connection, status);
    setLost();
    current = null;
  };

  const stayConnected = async () => {
    while (!signal.aborted) {
      const connection = await open().catch(() => null);
      if (connection && signal.aborted) await connection.close();
      else if (connection) await follow(connection);
      await wait(reconnectPause_ms, undefined, { signal }).catch(() => {});
    }
  };
  const ended = stayConnected();

  const sendRequest = async (connection: NatsConnection, subject: string, text: string, timeout_ms: number): Promise<Msg> => {
    const lost = Promise.withResolvers<never>();
    pendingRequests.add(lost.reject);
    const sent = headers();
    sent.set(timeoutHeader, String(timeout_ms));
    try {
      return await Promise.race([connection.request(subject, text, { timeout: timeout_ms, headers: sent }), lost.promise]);
    } catch (err) {
      throw requestError(err);
    } finally {
      pendingRequests.delete(lost.reject);
    }
  };

  const finish = async (connection: NatsConnection) => {
    await Promise.allSettled(active.map((subscription) => subscription.drain()));
    await Promise.all(responders.map(({ finished }) => finished()));
    await connection.flush().catch(() => {});
  };

  return {
    publish: (subject, text) => ready?.publish(subject, text),
    subscribe: (subject, callback) => addSubscription(subject, undefined, (message) => callback(message.string())),
    async request(subject, text, timeout_ms) {
      if (!ready) throw new NatsAway('not_connected');
      const answer = await sendRequest(ready, subject, text, timeout_ms);
      const error = answer.headers?.get(errorHeader);
      if (error === 'busy') throw new NatsAway('busy');
      if (error) throw new RequestFailed(subject);
      return answer.string();
    },
    respond(subject, queue, handler) {
      const added = responder(subject, handler, log);
      responders.push(added);
      addSubscription(subject, queue, added.receive);
    },
    onConnected(callback) {
      connectedCallbacks.push(callback);
      // With the subscriptions that were made since the connection.
      ready?.flush().then(
        () => guarded(callback),
        () => {},
      );
    },
    isConnected: () => ready !== null,
    async close() {
      closing.abort();
      const connection = ready;
      ready = null;
      rejectRequests();
      if (connection) await within(finish(connection), finishTimeout_ms, () => {});
      await current?.close();
      await within(ended, endTimeout_ms, () => {});
    },
  };
}
