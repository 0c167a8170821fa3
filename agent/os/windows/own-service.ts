import type { Registry } from './native/registry.ts';
import type { SecurityCalls } from './native/security.ts';
import { type Services, startTypes } from './services/services.ts';

/**
 * Who may do what with our service, as SDDL. The system may do everything. Administrators may read its settings and start it, but not stop,
 * change or delete it: on most home computers everybody is one, and `sc stop` is what a scammer asks for.
 */
export const securedRights =
  'O:SYD:(A;;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;SY)(A;;CCLCSWRPLOCRRC;;;BA)(A;;CCLCSWLOCRRC;;;IU)(A;;CCLCSWLOCRRC;;;SU)';
/** What Windows gives each service. */
export const usualRights =
  'O:BAD:(A;;CCLCSWRPWPDTLOCRRC;;;SY)(A;;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;BA)(A;;CCLCSWLOCRRC;;;IU)(A;;CCLCSWLOCRRC;;;SU)';

export const servicesKey = 'SYSTEM\\CurrentControlSet\\Services';
/**
 * Services that also run in safe mode with networking, as remote-control programs do that a scammer restarts into it. The plain safe mode
 * is left alone: it has no network, and is the way out if we ever prevent Windows from starting.
 */
export const safeModeKey = 'SYSTEM\\CurrentControlSet\\Control\\SafeBoot\\Network';

export interface OwnServiceDeps {
  name: string;
  registry: Registry;
  services: Pick<Services, 'setStart' | 'restartOnFailure'>;
  rights: Pick<SecurityCalls, 'takeService' | 'setServiceRights'>;
}

export type OwnService = ReturnType<typeof ownService>;

/** Makes Windows run our service again after every end, and refuse to stop it. */
export function ownService({ name, registry, services, rights }: OwnServiceDeps) {
  const key = `${servicesKey}\\${name}`;
  const ownSafeModeKey = `${safeModeKey}\\${name}`;
  const write = (...value: Parameters<Registry['write']>): boolean => {
    try {
      registry.write(...value);
      return true;
    } catch {
      return false;
    }
  };
  return {
    /** False when it does not start with Windows, or not in safe mode. Null when that cannot be read. */
    isSecured(): boolean | null {
      if (registry.keys(servicesKey).length === 0) return null;
      // A deleted service remains until its last handle is closed.
      const isDeleted = registry.read(key, 'DeleteFlag') === 1;
      return !isDeleted && registry.read(key, 'Start') === startTypes.automatic && registry.read(ownSafeModeKey, '') === 'Service';
    },
    /**
     * Sets everything as it must be. For the service itself, and for an installer, which has to take the service first. It only ever
     * strengthens, so anyone who is able to run it may. False when Windows refused a part, which the service tries again at its next start.
     */
    secure(): boolean {
      const startsWithWindows = () => services.setStart(name, startTypes.automatic);
      const isStarting =
        startsWithWindows() || (rights.takeService(name) && rights.setServiceRights(name, usualRights) && startsWithWindows());
      // Windows reads the registry when it starts, and only its list of services until then.
      const isAutomatic = write(key, 'Start', startTypes.automatic);
      const isRestarting = services.restartOnFailure(name);
      const isInSafeMode = write(ownSafeModeKey, '', 'Service');
      return rights.setServiceRights(name, securedRights) && isStarting && isAutomatic && isRestarting && isInSafeMode;
    },
    /** Gives administrators back the rights to stop and delete it. Only for an uninstall, after its PIN. */
    release(): boolean {
      registry.removeKey(ownSafeModeKey);
      return rights.takeService(name) && rights.setServiceRights(name, usualRights);
    },
  };
}
