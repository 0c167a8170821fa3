import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { emailAddress, nothing } from './shapes.ts';

export const installerPlatform = z.enum(['windows', 'macos', 'linux']);
export type InstallerPlatform = z.infer<typeof installerPlatform>;

export const installer = z.object({
  platform: installerPlatform,
  /** Bytes. */
  size: z.number().int().positive(),
  /** Lower-case hex. */
  sha256: z.string(),
});
export type Installer = z.infer<typeof installer>;

export const downloadEndpoints = endpoints({
  'GET /downloads': {
    summary:
      'The installers that this operator has; they are fetched from /downloads/windows, /downloads/macos and /downloads/linux, with ?code= for a device',
    access: 'public',
    answer: z.object({ items: z.array(installer) }),
    errors: [],
  },
  'POST /free-download': {
    summary: 'Someone wants the free plan; the address only where they agreed to hear from us (3.16, 7.32)',
    access: 'public',
    body: z.object({ email: emailAddress.nullable() }),
    answer: nothing,
    errors: [],
  },
});
