import type { UndoWay } from './activity-undo.ts';

/** The texts of the undo buttons on the dashboard and in emails. */
export const undoButtons: Record<UndoWay, string> = {
  resume: 'Resume protection',
  disallow: 'Take back',
  profile_back: 'Take back',
  settings: 'Take back',
  browsing: 'Take back',
  unlisted: 'Take back',
  ask_first: 'Take back',
  isolation: 'Take back',
  guardian_order: 'Take back',
  remove_guardian: 'Remove this guardian',
  edit_profile: 'Change the profile back',
  check_device: 'Check who uses it',
  invite_again: 'Invite again',
  link_again: 'Link again',
  new_pin: 'Renew the PIN',
  new_password: 'Choose a new password',
  check_profile: 'Check my profile',
  check_sign_in: 'Check how you log in',
  keep_account: 'Keep the account',
  end_helping: 'End it now',
};
