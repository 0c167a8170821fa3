// Run by makensis (`!uninstfinalize`) with the uninstaller that it has built and is about to pack. The environment has the rest as JSON.
import { signInPlace, type WindowsSigning } from './sign.ts';

const [file = ''] = process.argv.slice(2);
const signing = JSON.parse(process.env.PORCHLIGHT_WINDOWS_SIGNING ?? '') as WindowsSigning;
try {
  await signInPlace(file, signing);
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : reason);
  process.exitCode = 1;
}
