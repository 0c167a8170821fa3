import type { CommandTable } from '@porchlight/definitions/cli/command-line.ts';
import { grantAccount, showAccount } from './account.ts';
import { findAccounts, listAccounts } from './accounts.ts';
import { deleteAccount } from './accounts-delete.ts';
import { exportAccount } from './accounts-export.ts';
import { confirmAccount, unlockAccount } from './accounts-unlock.ts';
import { inspectBackup, makeBackup, takeKeys } from './backup.ts';
import type { Command } from './command-deps.ts';
import {
  acceptFeed,
  acceptList,
  definitionReports,
  definitionStatus,
  fetchDefinitions,
  rotateRoot,
  rotateSigningKey,
  siteSources,
  takeBackFeed,
} from './definitions.ts';
import { doctor } from './doctor/doctor.ts';
import { liftHold, listHolds } from './holds.ts';
import { raiseEpoch, rotateKeys, rotateLink, rotatePolicy, rotateRelease } from './keys.ts';
import { listMail, retryMail, testMail } from './mail.ts';
import { believePayments, paymentsStatus } from './payments-account.ts';
import { createPromo, listPromos } from './promo.ts';
import { restore } from './restore.ts';
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
    listAccounts,
    findAccounts,
    exportAccount,
    deleteAccount,
    unlockAccount,
    confirmAccount,
    listHolds,
    liftHold,
    listMail,
    retryMail,
    testMail,
    definitionStatus,
    fetchDefinitions,
    acceptFeed,
    takeBackFeed,
    siteSources,
    acceptList,
    definitionReports,
    rotateSigningKey,
    rotateRoot,
    rotateKeys,
    rotatePolicy,
    rotateLink,
    rotateRelease,
    raiseEpoch,
    inspectBackup,
    takeKeys,
    makeBackup,
    restore,
    doctor,
    version,
  ],
};
