import { answerAsOwner } from './answer.ts';

void answerAsOwner(process.stdin, process.stdout).finally(() => process.exit(0));
