import type { Identity, Store } from '../state/store.ts';
import type { Call } from './call.ts';

/** Fetches the secret of the one-time codes unless the policy's secret is stored here already (P10.7). Throws the error of the call. */
export async function takeCodeSecret(
  { store, call }: { store: Pick<Store, 'codeSecret' | 'setCodeSecret'>; call: Call },
  identity: Identity,
  id: string | null,
): Promise<void> {
  const device = identity.device.uuid;
  if (id === null) return;
  const known = await store.codeSecret();
  if (known?.device === device && known.id === id) return;
  const { id: given, secret } = await call('GET /agent/code-secret', {}, { token: identity.agent_token });
  await store.setCodeSecret({ device, id: given, secret });
}
