/**
 * The doors of the system: settings through which someone else can control this computer, or lead it astray (P12.5). Each is null where it
 * cannot be read.
 */
export interface DoorState {
  /** Remote Desktop of Windows, xrdp, or the remote login of GNOME. */
  remote_desktop: boolean | null;
  /** An SSH server. */
  remote_shell: boolean | null;
  /** Screen Sharing of macOS, the desktop sharing of GNOME or KDE, or a VNC server. */
  screen_sharing: boolean | null;
  remote_assistance: boolean | null;
  /** Login names, sorted. */
  administrators: string[] | null;
  /** Lines `address name` of the hosts file in canonical form, without our own: at most `MAX_HOSTS_ENTRIES`, those that redirect first. */
  hosts_file: { entries: string[] } | null;
  /** DNS servers that someone has set by hand, sorted: neither ours nor from DHCP. */
  dns_changed_by_others: string[] | null;
  /** The proxy for the whole computer; empty when none is set. */
  proxy: string | null;
  /** `off`: our service is disabled or deleted. */
  own_service: 'on' | 'off' | null;
  /** Changes when a file of our program changes. */
  own_files: string | null;
}

/** A door that can be put back safely. `entries`: the lines to remove from the hosts file, in the form of `DoorState`. */
export type ClosableDoor = { door: 'remote_desktop' | 'remote_shell' | 'screen_sharing' } | { door: 'hosts_file'; entries: string[] };

export const MAX_HOSTS_ENTRIES = 2000;

export interface DoorWatch {
  close(): void;
}

export interface SystemDoors {
  read(): Promise<DoorState>;
  /** Calls when something may have changed, at least every 30 seconds. */
  watch(changed: () => void): DoorWatch;
  /** Puts one door back. False where it is still open afterwards. Nobody loses an account or its rights. */
  close(door: ClosableDoor): Promise<boolean>;
}
