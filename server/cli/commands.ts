import type { CommandTable } from '@porchlight/definitions/cli/command-line.ts';
import { grantAccount, showAccount } from './account.ts';
import type { Command } from './command-deps.ts';
import { acceptList, definitionReports, definitionStatus, rotateRoot, rotateSigningKey } from './definitions.ts';
import { doctor } from './doctor/doctor.ts';
import { liftHold, listHolds } from './holds.ts';
import { raiseEpoch, rotateLink, rotatePolicy, rotateRelease } from './keys.ts';
import { listMail, retryMail, testMail } from './mail.ts';
import { believePayments, paymentsStatus } from './payments-account.ts';
import { createPromo, listPromos } from './promo.ts';
import { createSignupCode, listSignupCodes } from './signup-code.ts';
import { clearSupport, setSupport } from './support.ts';
import { program } from './usage.ts';
import { version } from './version.ts';

export const commandTable: CommandTable<Command> = {
  program,
  commands: [
    createSignupCode,
    listSignupCodes,
    createPromo,
    listPromos,
    paymentsStatus,
    believePayments,
    setSupport,
    clearSupport,
    grantAccount,
    showAccount,
    listHolds,
    liftHold,
    listMail,
    retryMail,
    testMail,
    definitionStatus,
    acceptList,
    definitionReports,
    rotateSigningKey,
    rotateRoot,
    rotatePolicy,
    rotateLink,
    rotateRelease,
    raiseEpoch,
    doctor,
    version,
  ],
};
