import { randomUUID } from 'node:crypto';
import { openRegistry, type Registry } from './native/registry.ts';

const bootKey = 'SOFTWARE\\Porchlight\\Boot';
const valueName = 'Name';

/** An ID of this boot, in a volatile registry key. Empty when the key cannot be written. */
export function bootId(registry: Pick<Registry, 'read' | 'writeVolatile'> = openRegistry()): string {
  const storedId = registry.read(bootKey, valueName);
  if (typeof storedId === 'string') return storedId;
  const newId = randomUUID();
  try {
    registry.writeVolatile(bootKey, valueName, newId);
    return newId;
  } catch {
    return '';
  }
}
