import { z } from 'zod';
import type { SealedFiles } from './sealed-files.ts';

const policyDocument = z.object({ id: z.string(), format: z.enum(['chromium', 'edge', 'firefox', 'firefox_plist']), own: z.boolean() });
/** The policies of browsers that this agent has set, see `agent/browsers`. */
const storedPolicies = z.object({
  policies: z.array(z.object({ document: policyDocument, path: z.array(z.string()), value: z.json() })),
  containers: z.array(z.string()),
});
type StoredPolicies = z.infer<typeof storedPolicies>;

/** The record of the policies of browsers that this agent has set. */
export const browserPolicyFile = (files: SealedFiles, path: string) => ({
  load: async (): Promise<StoredPolicies> => (await files.read(path, storedPolicies)) ?? { policies: [], containers: [] },
  save: (stored: StoredPolicies) =>
    stored.policies.length + stored.containers.length > 0 ? files.write(path, stored) : files.remove(path),
});
