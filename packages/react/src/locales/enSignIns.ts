/** English messages of the list of sign-ins. */
export const enSignIns = {
  'signIns.intro': 'Where this account is signed in to this app. Sign out anything that isn’t you.',
  'signIns.here': 'This browser',
  'signIns.since': 'Since {date}',
  'signIns.until': 'Ends {date}',
  'signIns.end': 'Sign out',
  'signIns.endOf': 'Sign out of {site}, signed in {date}',
  'signIns.endOthers': 'Sign out everywhere else',
  'signIns.ending': 'Signing out…',
  'signIns.ended': 'Signed out',
  'signIns.none': 'You are signed out',
  'signIns.failed': 'Your sign-ins could not be loaded',
  'signIns.endFailed': 'Could not sign out. Try again',
} as const
