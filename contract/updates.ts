import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { signedDocument, time } from './shapes.ts';

/** Platforms, named as in Node. */
export const updateTarget = z.enum(['win-x64', 'darwin-arm64', 'darwin-x64', 'linux-x64']);
export type UpdateTarget = z.infer<typeof updateTarget>;

/** Compiled into the agent. */
export interface Release {
  version: string;
  target: UpdateTarget;
  /** The public release key: Ed25519, base64url. */
  key: string;
  /** Former release keys, which may have signed the file beside an updated program. */
  former?: string[];
  /** The path of the program to start, if it is not the executable. */
  program?: string;
}

const bytes = z
  .number()
  .int()
  .positive()
  .max(1 << 28);

export const updateFile = z.object({
  target: updateTarget,
  /** The file's name beside the program: `agent` for the program itself. */
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,60}$/),
  /** Bytes of the gzip download from /downloads/update/:sha256. */
  size: bytes,
  /** The hash of the download, in lower-case hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The agent unpacks no more than this. */
  unpacked_size: bytes,
});
export type UpdateFile = z.infer<typeof updateFile>;

/** Signed with the operator's release key. `agent_version` only grows. */
export const updateManifest = z.object({
  agent_version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/),
  issued: time,
  /** So that an old manifest cannot hold agents back for ever. */
  expires: time,
  files: z.array(updateFile).max(40),
});
export type UpdateManifest = z.infer<typeof updateManifest>;

export const updateEndpoints = endpoints({
  'GET /agent/update': {
    summary: 'The signed manifest of the newest agent, when there is one; its files lie at /downloads/update/:sha256',
    access: 'public',
    answer: z.object({ manifest: signedDocument.nullable() }),
    errors: [],
  },
});
