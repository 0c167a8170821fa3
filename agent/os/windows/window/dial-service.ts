import { loadPipe } from '../native/pipe.ts';
import { loadServices } from '../native/services.ts';
import { serviceName } from '../services/run-as-service.ts';
import { services } from '../services/services.ts';
import type { Dial } from './ask-service.ts';

/**
 * Connects to the process that Windows lists as our service. After an update, Windows starts the successor as the service within a second.
 */
export function dialService(): Dial {
  const [pipe, systemServices] = [loadPipe(), services(loadServices())];
  const pid = () =>
    systemServices.list().find(({ name, running }) => running && name.toLowerCase() === serviceName.toLowerCase())?.pid ?? 0;
  return async (path) => pipe.connectTo(path, pid());
}
