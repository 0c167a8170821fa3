import { begin } from './setup.mjs';

await begin('packaging/build.ts', {
  settings: 'values',
  needs: 'production',
  help: `npm run installers                          Builds what people install, for Windows (with makensis), macOS and Linux, into
                                            INSTALLERS_DIR. The server has to run and answer at PUBLIC_URL.
npm run installers -- --only NAMES          Only these, with commas between them, such as win-x64,linux-x64.
npm run installers -- --new-release-key     Makes a new key for updates, and builds nothing.
npm run installers -- --self-check          Writes the program of docs/release-checks.md, with its Node, into DATA_DIR/self-check.
npm run installers -- --help                This page.`,
});
