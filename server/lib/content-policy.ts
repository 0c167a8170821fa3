import { limits } from '@porchlight/contract/limits.ts';

/** What a page may use of other hosts, each an origin; empty where nothing is configured (P7.2). */
export interface OutsideOrigins {
  script: string[];
  frame: string[];
  connect: string[];
}

/** The content security policy of every answer: ourselves, the agent on the person's own computer, and exactly the origins that were configured. */
export function contentPolicy({ script, frame, connect }: OutsideOrigins): Record<string, string[]> {
  return {
    defaultSrc: ["'self'"],
    ...(script.length ? { scriptSrc: ["'self'", ...script] } : {}),
    ...(frame.length ? { frameSrc: ["'self'", ...frame] } : {}),
    connectSrc: ["'self'", `http://127.0.0.1:${limits.loopback_port}`, ...connect],
    imgSrc: ["'self'", 'data:'],
    styleSrc: ["'self'", "'unsafe-inline'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  };
}

/** What no page of ours uses, and no frame in one may ask for. */
const unused = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-network',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
];
/**
 * What our own pages use, and no frame in one: they look for the agent on the person's own computer. Chrome calls that `loopback-network` since
 * version 145, and called it and the local network together `local-network-access` before
 * (https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Permissions-Policy/loopback-network).
 */
const ownPagesOnly = ['loopback-network', 'local-network-access'];

/** The permissions policy of every answer. */
export const permissionsPolicy = [...ownPagesOnly.map((name) => `${name}=(self)`), ...unused.map((name) => `${name}=()`)].join(', ');
