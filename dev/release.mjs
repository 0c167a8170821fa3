import { begin } from './setup.mjs';

await begin('dev/release.ts', {
  help: `npm run release -- VERSION             Makes a release of what is committed: moves what CHANGELOG.md has under Unreleased to VERSION, sets VERSION in every
                                       package.json, commits, tags, and builds the files from a clean checkout of the tag. Pushes and uploads nothing.
                                       RELEASE_SIGNING_KEY is the file of the Ed25519 key (made by ssh-keygen) that signs SHA256SUMS.
npm run release -- VERSION --dry-run   Says what it would do, and does nothing.
npm run release -- VERSION --unsigned  Makes SHA256SUMS without a signature.
npm run release -- VERSION --out DIR   Writes the files there instead of dist/release/VERSION.
npm run release -- --help              This page.

Interrupted, the same command goes on where it was.`,
});
