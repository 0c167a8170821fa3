import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import type { UndoWay } from '@porchlight/contract/activity-undo.ts';

/** How the holder undoes each kind of activity; `advice`: the text where undoing is impossible. */
export const undoWays: Record<ActivityKind, UndoWay | { advice: string }> = {
  pin_shown: 'new_pin',
  pin_reset: 'new_pin',
  allowed: 'disallow',
  profile_chosen: 'profile_back',
  profile_changed: 'edit_profile',
  paused: 'resume',
  uninstalled: 'link_again',
  device_removed: 'link_again',
  guardian_added: 'remove_guardian',
  guardian_removed: 'invite_again',
  email_changed: 'check_profile',
  phone_changed: 'check_profile',
  password_changed: 'new_password',
  alerts_off: 'settings',
  silence_later: 'settings',
  browsers_off: 'browsing',
  resolver_off: 'browsing',
  unlisted_off: 'unlisted',
  pin_guessed: { advice: 'Nobody got in. If a stranger is on the phone with whoever is at that computer, ask them to hang up.' },
  moved: 'link_again',
  undone: 'link_again',
  leaving: {
    advice:
      'If you don’t want that, ask someone at that computer to press Keep it. If a stranger is on the phone with them, ask them to hang up.',
  },
  left: 'link_again',
  person_changed: 'check_device',
  ask_first_off: 'ask_first',
  isolation_off: 'isolation',
  guardians_reordered: 'guardian_order',
  call_consent_off: {
    advice: 'If you want it back, ask us on that computer’s page to call again. If a stranger on the phone asked for it, hang up.',
  },
  sign_in_added: 'check_sign_in',
  sign_in_removed: 'check_sign_in',
  recovery_codes_made: 'check_sign_in',
  recovery_code_used: 'check_sign_in',
  logged_out_everywhere: 'new_password',
  account_downloaded: 'new_password',
  deletion_asked: 'keep_account',
  deletion_stopped: 'new_password',
  asked: { advice: 'If a stranger on the phone wants it, it’s a scam. Ask whoever is at that computer to hang up.' },
};
