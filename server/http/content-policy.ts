import { limits } from '@porchlight/contract/limits.ts';

export interface AllowedOrigins {
  script: string[];
  frame: string[];
  connect: string[];
}

/** Allows our own origin, the agent on the user's computer, and the configured origins. */
export function contentPolicy({ script, frame, connect }: AllowedOrigins): Record<string, string[]> {
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

/** Features of browsers that no page or frame of ours may use. */
const unusedFeatures = [
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
 * Our pages look for the agent on the user's computer. Chrome calls that `loopback-network` since version 145, and `local-network-access`
 * before (https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Permissions-Policy/loopback-network).
 */
const ownPagesOnly = ['loopback-network', 'local-network-access'];

export const permissionsPolicy = [...ownPagesOnly.map((name) => `${name}=(self)`), ...unusedFeatures.map((name) => `${name}=()`)].join(
  ', ',
);
