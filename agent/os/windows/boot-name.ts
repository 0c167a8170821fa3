import { randomUUID } from 'node:crypto';
import { openRegistry, type Registry } from './native/registry.ts';

const key = 'SOFTWARE\\Porchlight\\Boot';
const value = 'Name';

/** A name of this start of the computer, the same for as long as it is on: in a key that goes when it goes. '' when it may not be written. */
export function bootName(registry: Pick<Registry, 'read' | 'writeVolatile'> = openRegistry()): string {
  const before = registry.read(key, value);
  if (typeof before === 'string') return before;
  const name = randomUUID();
  try {
    registry.writeVolatile(key, value, name);
    return name;
  } catch {
    return '';
  }
}
