import { brand } from '@porchlight/contract/brand.ts';

export const messages = {
  movedAside: (paths: string[]) => `These were created by someone other than the service, and were moved aside: ${paths.join(', ')}.`,
  leftThere: (paths: string[]) =>
    `Someone else put these into the service’s folder, and they cannot be moved. The service does not use them: ${paths.join(', ')}.`,
  notSecured: `Windows did not take all that keeps ${brand.name} running. An administrator can stop it.`,
  denialsRemoved:
    'Another program removes what prevents remote-control programs from starting, perhaps a virus scanner. They are ended once they run instead.',
  tip: brand.name,
  open: `Open ${brand.name}`,
  help: 'I need help now',
  balloon: { title: brand.name, text: `${brand.name} has something to show you. It will open on its own.` },
  byHand: 'Without administrator rights it can’t stop programs that other people or the system start, only your own.',
  notCut: 'The internet cannot be cut here without administrator rights.',
  firewallOff: 'The internet cannot be cut here, because the firewall of Windows is off.',
  noWindow: 'Nobody is at the computer to see this.',
  started: 'The service has started.',
  tookOver: 'A new version protects this computer, and restarted its service.',
  noBridge: (reason: string) => `Porchlight cannot show anything to the person at the computer: ${reason}`,
  failed: (reason: string) => `The service could not start: ${reason}`,
} as const;
