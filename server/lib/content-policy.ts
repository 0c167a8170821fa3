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
