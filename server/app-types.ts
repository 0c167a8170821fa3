import type { PublishedList } from '@porchlight/definitions/default-lists.ts';
import type { FirstList } from '@porchlight/definitions/first-list.ts';
import type { Recognition } from '@porchlight/definitions/recognition.ts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Listener } from './db/listen.ts';
import type { Db } from './db/open.ts';
import type { TrafficControl } from './db/traffic.ts';
import type { PollBackend } from './features/agents/polls/poll-backend.ts';
import type { Metrics } from './features/metrics/metrics.ts';
import type { OperatorSurroundings } from './features/operator-alerts/surroundings.ts';
import type { InstallerBuilder } from './integrations/installers/installers.ts';
import type { FetchList } from './integrations/lists/lists.ts';
import type { Mailer } from './integrations/mail/mail.ts';
import type { Payments } from './integrations/payments/payments.ts';
import type { PushSender } from './integrations/push/push.ts';
import type { SmsSender } from './integrations/sms/sms.ts';
import type { VoiceCaller } from './integrations/voice/voice.ts';
import type { Worker } from './jobs/worker.ts';
import type { Clock } from './lib/clock.ts';
import type { Sealer } from './secrets/seal.ts';

/** What the server calls over a network; simulators take its place. */
export interface Integrations {
  mailer: Mailer;
  smsSender: SmsSender;
  voiceCaller: VoiceCaller;
  pushSender: PushSender;
  payments: Payments;
  /** Null: the operator builds the installers elsewhere. */
  installerBuilder: InstallerBuilder | null;
  surroundings: OperatorSurroundings;
  fetchList: FetchList;
  fetchFeed: FetchList;
}

/** What the server ships with. */
export interface Shipped {
  recognition: Recognition;
  firstList: () => FirstList;
  defaultLists: readonly PublishedList[];
  dashboard_dist: string;
  version: string;
}

export interface AppDeps {
  db: Db;
  traffic: TrafficControl;
  eventLoopDelay: () => number;
  listener: Listener;
  clock: Clock;
  log: Logger;
  sealer: Sealer;
  integrations: Integrations;
  shipped: Shipped;
  /** Metrics of Node and the process, in the format of Prometheus. */
  processMetrics?: () => Promise<string>;
}

export interface App {
  http: FastifyInstance;
  worker: Worker;
  metrics: Metrics;
  /** Wrong statements about the plans on our pages, a sentence each. Rejects when Stripe does not answer. */
  wrongPlanStatements(): Promise<string[]>;
  /** Begins to build the installers in the background, if what is there is not good. */
  requestInstallers(): Promise<unknown>;
  /** Reads now whether there are problems of the whole service, which the server does every 30 seconds. */
  checkOperation(): Promise<void>;
  /** Problems that the operator was notified of and that are not in `operator_problems`: this server does not reach its database. */
  ownProblems(): string[];
  /** When the certificate of PUBLIC_URL ends; null if it is not known, or there is none. */
  certificateExpires(): Date | null;
  /** Notes now that the devices that wait are connected, which the server does once a minute. */
  writePresence(): Promise<void>;
  /** How many devices wait for a change. */
  agentsWaiting(): number;
  /** What gateways ask. */
  polls: PollBackend;
  /** Finishes running work and stops. Does not close `deps`. */
  close(): Promise<void>;
}
