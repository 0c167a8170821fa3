import { z } from 'zod';
import { agentEventEndpoint } from './agent-events.ts';
import { agentLimits } from './agent-limits.ts';
import { allowListEntryType } from './allow-list.ts';
import { policyAppointment } from './appointments.ts';
import { detectionDeliveries } from './detection-deliveries.ts';
import { agentLimitation, goodbyeEndpoint } from './device-health.ts';
import { emergencyStop, networkIsolation } from './emergency-stops.ts';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { codeSecret } from './one-time-codes.ts';
import { policyActions, policyId } from './policies.ts';
import { protectiveResolver } from './protective-resolvers.ts';
import { scanEndpoint } from './scan.ts';
import { serverLimits } from './server-limits.ts';
import { certainty, detectionCategory, pinHash, signedDocument, signedFeed, signedKeys, time, uuid } from './shapes.ts';
import { unlistedPolicy } from './unlisted-protection.ts';

/** Ed25519 public keys, the 32 raw bytes as base64url. An agent started by hand pins them at first use (P3.2). */
export const serverKeys = z.object({
  /** The only page origin that may call the agent over loopback. */
  public_url: z.string(),
  /** `definitions` is a root key: it signs the list of keys for the definitions. */
  keys: z.object({ link: z.string(), policy: z.string(), definitions: z.string() }),
});
export type ServerKeys = z.infer<typeof serverKeys>;

export const agentInfo = z.object({
  name: z.string().max(limits.name_max),
  platform: z.enum(['linux', 'macos', 'windows']),
  os_version: z.string().max(200),
  arch: z.string().max(40),
  agent_version: z.string().max(40),
  /** IANA time zone, for the local time in emails. */
  time_zone: z.string().max(60),
  limitations: z.array(agentLimitation).max(agentLimitation.options.length),
  /** Only while it has no definitions, and so can block nothing. `clock_off_days`: by how many days its clock is wrong, to the nearest. */
  no_definitions: z.object({ clock_off_days: z.number().int().min(0) }).optional(),
});
export type AgentInfo = z.infer<typeof agentInfo>;

/** The holder, reduced to what a stranger at the computer may read: first name and `c•••@gmail.com` (P10.8). */
export const accountHolder = z.object({ first_name: z.string().max(limits.name_max), masked_email: z.string().max(limits.email_max) });
export type AccountHolder = z.infer<typeof accountHolder>;

const policyAllowEntry = z.object({
  type: allowListEntryType,
  identifier: z.string(),
  /** Null: until removed. */
  until: time.nullable(),
  /** Until then a start of this program is reported although it is allowed (P9.1); null: never. */
  reported_until: time.nullable(),
});

/** The payload of the signed policy. Within an epoch, a device's `version` only grows (P14.1). */
export const devicePolicy = z.object({
  device: uuid,
  /** A policy of a higher epoch replaces any of a lower one. */
  epoch: z.number().int().positive(),
  version: z.number().int().positive(),
  issued: time,
  device_name: z.string(),
  policy: z.object({ uuid: policyId, name: z.string() }),
  actions: policyActions,
  /** False: blocks only certain matches (P4.2). */
  block_likely: z.boolean(),
  /** Allowed even if the profile blocks it. */
  allow: z.array(policyAllowEntry),
  /** The guardians' first names. */
  relatives: z.array(z.string()),
  holder: accountHolder,
  /** To check the Admin PIN without the server (P2.6). Null in the first hour of use: then the agent asks the server. */
  pin: pinHash.nullable(),
  /** Changes when the holder ends pauses remotely: a pause that began under another value is over. */
  resume: uuid.nullable(),
  /** Whether the agent sets the policies of the browsers (P12.2). */
  browsers: z.boolean(),
  /** Websites that the family lets send notifications where `browsers` is true, as exact origins; while `lock` is true, none may (P15.5). */
  notification_origins: z.array(z.string()),
  /** Looks up names that are not blocked, if the family has chosen one (P12.1). Null: the DNS servers of the network. */
  resolver: protectiveResolver.nullable(),
  /** An incident is open at this device, or an emergency stop is in force: the Admin PIN alone weakens nothing here (P10.5). */
  lock: z.boolean(),
  /** The PIN was shown within a day, without a yes: the start of a remote-control program ends a pause that was made with it (P9.1). */
  pin_shown: z.boolean(),
  /** The emergency stop in force. `actions`, `block_likely` and `allow` above are those of the stop already. */
  emergency_stop: emergencyStop.nullable(),
  /** Until when this device reaches only our server; its length is `until` minus `issued`, by the server's clock alone (P10.6). */
  isolation: networkIsolation.nullable(),
  /** Who helps there now (P15.1). */
  appointment: policyAppointment.nullable(),
  /** The id of the secret of this device's one-time codes (P10.7). An agent that has another one fetches it by `GET /agent/code-secret`. */
  code_secret: uuid.nullable(),
  /** Threats that are on no list (P12.3 to P12.6). */
  unlisted: unlistedPolicy,
});
export type DevicePolicy = z.infer<typeof devicePolicy>;

/** The maximum characters of the evidence; the operator's list has the same limit. */
export const detectionWhyMax = 120;

export const reportedDetection = z.object({
  /** The agent makes the id; the server ignores repeated ones (P4.5). */
  uuid,
  time,
  name: z.string().min(1).max(200),
  identifier: z.string().min(1).max(300),
  category: detectionCategory,
  /** The program's file; for a site its name again; for a pasted command the host that it fetches from. */
  details: z.string().max(2000),
  blocked: z.boolean(),
  certainty,
  /** The beginning of the evidence, such as `product=anydesk, signer=example`. */
  why: z.string().max(detectionWhyMax),
  /**
   * What started the program (P9.1). `system`: log-on, a service or a scheduled task, or it was already running when the agent was first
   * started; and its file was there when the agent was installed. `person`: anything else, unknown, or a site.
   */
  start: z.enum(['person', 'system']),
});
export type ReportedDetection = z.infer<typeof reportedDetection>;

/** PostgreSQL's 32-bit integer limits the version of the key list. */
const known_keys = z.coerce.number().int().min(0).max(2_147_483_647).default(0);
const epoch = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const known_epoch = epoch.default(1);

const nonce = z.string().regex(/^[\w-]{16,40}$/);
/** What the server's clock says, for a computer without an account, whose own may be wrong by years. */
export const signedTime = z.object({ time: z.iso.datetime(), nonce });

/** What `device` has already: see `errorsOfAccess`. */
const otherProtocol = ['agent_outdated', 'server_outdated'] as const;

export const agentEndpoints = endpoints({
  'GET /agent/server': {
    summary: 'The keys that an agent pins at first use (P3.2)',
    access: 'public',
    answer: serverKeys,
    errors: [...otherProtocol],
  },
  'GET /agent/free-plan': {
    summary: 'The signed set of definitions for a computer that belongs to no account (1.2); with `known` only when there is a newer one',
    access: 'public',
    query: z.object({ known: z.coerce.number().int().min(0).default(0), known_keys, known_epoch, nonce: nonce.optional() }),
    /** `time`: a `signedTime` for the call's `nonce`, signed by a policy key. */
    answer: z.object({ definitions: signedFeed.nullable(), time: signedDocument.optional() }),
    errors: [...otherProtocol],
  },
  'GET /agent/keys': {
    summary: 'The lists of keys after `known_keys` of `known_epoch`: which keys are good for policies, links, definitions and updates',
    access: 'public',
    query: z.object({ known_keys, known_epoch }),
    answer: signedKeys,
    errors: [],
  },
  'POST /agent/enrol': {
    summary: 'Use up a device code and get a token for this device (P3.1)',
    access: 'public',
    /** `enrol_id`: made by the agent for this code; a repeated call gets the same answer until the device uses its token. */
    body: z.object({ code: z.string().min(1).max(40), enrol_id: uuid, info: agentInfo }),
    answer: z.object({
      agent_token: z.string(),
      device: z.object({ uuid, name: z.string() }),
      holder: accountHolder,
    }),
    errors: ['code_wait', 'code_unknown', 'code_used', 'code_expired', ...otherProtocol],
  },
  'POST /agent/whose': {
    summary: 'Whose computer it would be with this code, before it is used up (P10.8); asking never uses it up',
    access: 'public',
    /** `enrol_id`: the same as for enrolling, so an agent that lost the answer can ask again. */
    body: z.object({ code: z.string().min(1).max(40), enrol_id: uuid.optional() }),
    answer: z.object({ holder: accountHolder, device_name: z.string() }),
    errors: ['code_wait', 'code_unknown', 'code_used', 'code_expired', ...otherProtocol],
  },
  'POST /agent/check-in': {
    summary: 'I am here, this is who I am, and whether protection is up',
    access: 'device',
    /**
     * Milliseconds, since the clock there may be wrong. `strict_for`: remaining time of at least strict after a change of owner.
     * `leaves_in`: until the computer leaves the account; null if it does not.
     */
    body: z.object({
      info: agentInfo,
      protecting: z.boolean(),
      problems: z.array(z.string().max(300)).max(20),
      /** Whether the agent announces sleep, so that a silence without that has another cause. */
      says_sleep: z.boolean(),
      /** Seconds without reaching the server before this call. Omitted without such a gap, and after a start of the agent. */
      away: z.number().int().min(0).max(serverLimits.away_seconds_max).optional(),
      strict_for: z.number().int().min(0).max(agentLimits.first_day),
      leaves_in: z.number().int().min(0).max(agentLimits.leave_notice).nullable(),
      /** The ids of detections on the calm screen whose deliveries the agent does not know yet. */
      asks: z.array(uuid).max(agentLimits.delivery_requests_max),
    }),
    /** `notified`: the deliveries of the requested detections that are stored and at most a day old. */
    answer: z.object({ notified: z.array(detectionDeliveries).max(agentLimits.delivery_requests_max) }),
    errors: [],
  },
  ...goodbyeEndpoint,
  ...agentEventEndpoint,
  'GET /agent/policy': {
    summary: 'The signed policy of this device, and the newest version of the definitions. `POST /agent/changes` waits for newer ones',
    access: 'device',
    answer: z.object({
      policy: signedDocument,
      definitions_version: z.number().int(),
      keys: z.object({ epoch: z.number().int(), version: z.number().int() }),
    }),
    errors: [],
  },
  'GET /agent/definitions': {
    summary: 'The signed set of definitions (P4.2), with the lists of keys after `known_keys`; its parts lie at /definitions/parts',
    access: 'device',
    query: z.object({ known_keys, known_epoch }),
    answer: signedFeed,
    errors: [],
  },
  'GET /agent/code-secret': {
    summary: 'The secret of this device’s one-time codes (P10.7)',
    access: 'device',
    answer: codeSecret,
    errors: [],
  },
  'POST /agent/pin': {
    summary:
      'Is this the Admin PIN? For a device that was not given the hash yet (P2.6), also for a day after its removal (P10.9); wrong ones are counted for the whole account',
    access: 'device_or_removed',
    body: z.object({ pin: z.string().min(1).max(40) }),
    answer: z.object({ right: z.boolean() }),
    errors: [],
  },
  ...scanEndpoint,
  'POST /agent/detections': {
    summary: 'Report detections; each is stored once and acknowledged by its id (P4.5)',
    access: 'device',
    body: z.object({ detections: z.array(reportedDetection).min(1).max(serverLimits.detections_per_report) }),
    body_max: serverLimits.detections_per_report * serverLimits.reported_max,
    answer: z.object({ stored: z.array(uuid) }),
    errors: [],
  },
});
