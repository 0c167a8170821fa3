export { fetchedFile, requirePrograms, skipTest } from '@porchlight/packaging/testing/skip.ts';
