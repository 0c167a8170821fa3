import { z } from 'zod';
import { agentLimits } from './agent-limits.ts';
import { goodbyeEndpoint } from './care.ts';
import { endpoints } from './endpoint.ts';
import { exceptionType } from './exceptions.ts';
import { limits } from './limits.ts';
import { newsEndpoint } from './news.ts';
import { policyActions, policyId } from './policies.ts';
import { scanEndpoint } from './scan.ts';
import { serverLimits } from './server-limits.ts';
import { category, certainty, pinHash, signedDocument, signedFeed, signedKeys, time, uuid } from './shapes.ts';
import { toldOf } from './told.ts';

/** What an installed agent says to the server, and the signed documents that it gets. */

/** Ed25519 public keys, the 32 raw bytes as base64url. An agent started by hand pins them at first use (P3.2). */
export const serverKeys = z.object({
  /** Where this server is reached, and so the one Origin that the loopback calls accept. */
  public_url: z.string(),
  /** `definitions` is the root, which says what signs the definitions. */
  keys: z.object({ link: z.string(), policy: z.string(), definitions: z.string() }),
});
export type ServerKeys = z.infer<typeof serverKeys>;

export const agentInfo = z.object({
  /** What the computer calls itself. */
  name: z.string().max(limits.name_max),
  platform: z.enum(['linux', 'macos', 'windows']),
  os_version: z.string().max(200),
  arch: z.string().max(40),
  agent_version: z.string().max(40),
  /** IANA name, so that mails can say the time as it was on that computer. */
  time_zone: z.string().max(60).default('UTC'),
});
export type AgentInfo = z.infer<typeof agentInfo>;

/**
 * Whose account it is, in what a stranger may read: the first name, and the address as `c•••@gmail.com`. The agent shows it to the user of the
 * computer, who must know whom they would give it to, and whom it belongs to (P10.8).
 */
export const accountHolder = z.object({ first_name: z.string().max(limits.name_max), masked_email: z.string().max(limits.email_max) });
export type AccountHolder = z.infer<typeof accountHolder>;

/** The payload of the signed policy. `version` only ever grows for a device, within an epoch (P14.1). */
export const devicePolicy = z.object({
  device: uuid,
  /** That of the newest list of keys; a policy of a higher one takes the place of any of a lower one. */
  epoch: z.number().int().positive().default(1),
  version: z.number().int().positive(),
  issued: time,
  device_name: z.string(),
  policy: z.object({ uuid: policyId, name: z.string() }),
  actions: policyActions,
  /** False for permissive: it blocks only when certain (P4.2). */
  block_likely: z.boolean(),
  /** The user's own exceptions: they always win. `until` null means until removed. */
  allow: z.array(z.object({ type: exceptionType, identifier: z.string(), until: time.nullable() })),
  /** First names to call, for the calm screen. */
  family: z.array(z.string()),
  /** Null in a policy of a server that did not say it yet. */
  holder: accountHolder.nullable().default(null),
  /** Of the Admin PIN, which the agent checks without the server (P2.6). Null until the device has been used for an hour: then the server is asked. */
  pin: pinHash.nullable().default(null),
  /** Another one each time the holder ended the pauses of this device from afar: a pause that began under another one is over. */
  resume: uuid.nullable().default(null),
});
export type DevicePolicy = z.infer<typeof devicePolicy>;

export const reportedDetection = z.object({
  /** Made on the device; storing it twice is storing it once (P4.5). */
  uuid,
  time,
  name: z.string().min(1).max(200),
  identifier: z.string().min(1).max(300),
  category,
  /** The file of a program; of a site once more its name, whatever it belongs to. */
  details: z.string().max(2000),
  blocked: z.boolean(),
  certainty,
});
export type ReportedDetection = z.infer<typeof reportedDetection>;

/** Lists of keys are counted as PostgreSQL counts, in 32 bits. */
const known_keys = z.coerce.number().int().min(0).max(2_147_483_647).default(0);
const epoch = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
/** The epoch of what is known; who does not say knows of the first alone. */
const known_epoch = epoch.default(1);

export const agentEndpoints = endpoints({
  'GET /agent/server': {
    summary: 'The keys that an agent pins at first use (P3.2)',
    access: 'public',
    answer: serverKeys,
    errors: [],
  },
  'GET /agent/free-plan': {
    summary: 'The signed set of definitions for a computer that belongs to no account (1.2); with `known` only when there is a newer one',
    access: 'public',
    query: z.object({ known: z.coerce.number().int().min(0).default(0), known_keys, known_epoch }),
    answer: z.object({ definitions: signedFeed.nullable() }),
    errors: [],
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
    /** `enrol_id`: made by the agent for this code. With the same one it is answered again as long as nobody was heard with the answer. */
    body: z.object({ code: z.string().min(1).max(40), enrol_id: uuid.optional(), info: agentInfo }),
    answer: z.object({
      agent_token: z.string(),
      device: z.object({ uuid, name: z.string() }),
      holder: accountHolder.nullable().default(null),
    }),
    errors: ['code_wait', 'code_unknown', 'code_used', 'code_expired'],
  },
  'POST /agent/whose': {
    summary: 'Whose computer it would be with this code, before it is used up (P10.8); asking never uses it up',
    access: 'public',
    /** `enrol_id`: as for enrolling. An agent that has lost the answer to that may still ask. */
    body: z.object({ code: z.string().min(1).max(40), enrol_id: uuid.optional() }),
    answer: z.object({ holder: accountHolder, device_name: z.string() }),
    errors: ['code_wait', 'code_unknown', 'code_used', 'code_expired'],
  },
  'POST /agent/check-in': {
    summary: 'I am here, this is who I am, and whether protection is up',
    access: 'device',
    /**
     * Milliseconds, since the clock over there may be wrong. `strict_for`: how long nothing weaker than strict is in force there, after it changed
     * hands. `leaves_in`: until it leaves the account, as an administrator of the computer wants; null while nobody does.
     */
    body: z.object({
      info: agentInfo,
      protecting: z.boolean(),
      problems: z.array(z.string().max(300)).max(20),
      /** It says goodbye before the computer sleeps: so its silence has another reason. */
      says_sleep: z.boolean().default(false),
      /** For so many seconds before this call the agent ran and could not reach the server. Left out if it could, and by an agent that was started since. */
      away: z.number().int().min(0).max(serverLimits.away_seconds_max).optional(),
      strict_for: z.number().int().min(0).max(agentLimits.first_day).default(0),
      leaves_in: z.number().int().min(0).max(agentLimits.leave_notice).nullable().default(null),
      /** Detections on the calm screen whose deliveries the agent does not know yet. */
      asks: z.array(uuid).max(agentLimits.told_asks).default([]),
    }),
    /** `told`: the deliveries of those detections that were asked for, are stored, and are at most a day old. */
    answer: z.object({ told: z.array(toldOf).max(agentLimits.told_asks).default([]) }),
    errors: [],
  },
  ...goodbyeEndpoint,
  ...newsEndpoint,
  'GET /agent/policy': {
    summary: 'The signed policy of this device; with `known` it waits up to `wait` seconds for a newer one, or for newer definitions',
    access: 'device',
    query: z.object({
      known: z.coerce.number().int().min(0).default(0),
      /** Left out by an agent older than epochs: a newer epoch does not end its long poll. */
      known_epoch: epoch.optional(),
      known_definitions: z.coerce.number().int().min(0).default(0),
      wait: z.coerce.number().int().min(0).max(serverLimits.agent_wait_seconds).default(0),
    }),
    answer: z.object({
      policy: signedDocument,
      definitions_version: z.number().int(),
      /** The newest list of keys. */
      keys: z.object({ epoch: z.number().int(), version: z.number().int() }).default({ epoch: 1, version: 0 }),
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
  'POST /agent/pin': {
    summary: 'Is this the Admin PIN? For a device that was not given the hash yet (P2.6); wrong ones are counted for the whole account',
    access: 'device',
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
