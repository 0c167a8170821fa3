import { loadPipe } from '../native/pipe.ts';
import { loadServices } from '../native/services.ts';
import { serviceName } from '../services/run-as-service.ts';
import { services } from '../services/services.ts';
import type { Dial } from './ask-service.ts';

/** Connects to the process that Windows says is our service. A successor after an update is none yet: a second later Windows has started it as one. */
export function dialService(): Dial {
  const [pipe, managed] = [loadPipe(), services(loadServices())];
  const pid = () => managed.list().find(({ name, running }) => running && name.toLowerCase() === serviceName.toLowerCase())?.pid ?? 0;
  return async (path) => pipe.connectTo(path, pid());
}
