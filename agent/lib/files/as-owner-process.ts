import { answerAsOwner } from './answer.ts';

// The short-lived process that works on a person's file with that person's rights alone.
void answerAsOwner(process.stdin, process.stdout).finally(() => process.exit(0));
