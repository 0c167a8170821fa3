import type { UndoWay } from './act-undo.ts';

/** What is written on the button, on the dashboard and in the letter that leads to it. */
export const undoButtons: Record<UndoWay, string> = {
  resume: 'Resume protection',
  disallow: 'Take back',
  profile_back: 'Take back',
  settings: 'Take back',
  remove_guardian: 'Remove this guardian',
  edit_profile: 'Change the profile back',
  check_device: 'Check who uses it',
  invite_again: 'Invite again',
  link_again: 'Link again',
  new_pin: 'Renew the PIN',
  new_password: 'Choose a new password',
  check_profile: 'Check my profile',
};
