import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { signedDocument, time } from './shapes.ts';

/** For what an agent is built, as Node names systems and processors. */
export const updateTarget = z.enum(['win-x64', 'darwin-arm64', 'darwin-x64', 'linux-x64']);
export type UpdateTarget = z.infer<typeof updateTarget>;

/** What the build of an installer compiles into the agent. */
export interface Release {
  version: string;
  target: UpdateTarget;
  /** Public half of the operator's release key: Ed25519, as base64url. */
  key: string;
  /** Earlier release keys: the file beside a program that was updated may be signed with one of them. */
  former?: string[];
  /** Path of the program to start, if that is not the executable itself. */
  program?: string;
}

const bytes = z
  .number()
  .int()
  .positive()
  .max(1 << 28);

export const updateFile = z.object({
  target: updateTarget,
  /** Name of the file beside the program: `agent` for the program itself, else the name of a part that it loads. */
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,60}$/),
  /** Of what is fetched from /downloads/update/:sha256, which is compressed (gzip); in bytes. */
  size: bytes,
  /** Lower-case hex, of what is fetched. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of the file itself; the agent unpacks no further. */
  unpacked_size: bytes,
});
export type UpdateFile = z.infer<typeof updateFile>;

/** What the operator's release key signs: the newest agent, for every system. `agent_version` only ever grows. */
export const updateManifest = z.object({
  agent_version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/),
  issued: time,
  /** After this nobody takes it any more: an old manifest must not hold an agent back for ever. */
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
