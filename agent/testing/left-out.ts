// The agent's tests and those of its installers skip for the same reasons.
export { fetchedFile, leaveOut, needs } from '@porchlight/packaging/testing/left-out.ts';
