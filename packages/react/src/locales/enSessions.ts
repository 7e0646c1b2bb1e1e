import { enActivity } from './enActivity.ts'
import { enShared } from './enShared.ts'

/** English messages of the view of smart sessions, which load with it. */
export const enSessions = {
  ...enShared,
  ...enActivity,

  'sessions.intro': 'Within these limits, the app can act for your account without asking you.',
  'sessions.failed': 'Smart sessions could not be loaded',
  'sessions.empty': 'No smart sessions',
  'sessions.emptyHint': 'Sessions that you grant this app on {network} appear here.',
  'sessions.active': 'Active',
  'sessions.expired': 'Expired',
  'sessions.revoked': 'Revoked',
  'sessions.until': 'Until {date}',
  'sessions.by': 'Acts by the account',
  'sessions.allowance': 'Up to {amount} every {period}',
  'sessions.used': '{used} of {amount} used in this period',
  'sessions.call': 'Calls {function} of {contract}',
  'sessions.value': 'Up to {amount} with each call',
  'sessions.equal': 'Argument {number} ({type}) is {value}',
  'sessions.greater': 'Argument {number} ({type}) is more than {value}',
  'sessions.less': 'Argument {number} ({type}) is less than {value}',
  'sessions.free': 'The app chooses all other arguments',
  'sessions.unreadable': 'Its permissions could not be read. Revoke it if you are not sure.',
  'sessions.units': '{amount} units of {token}',
  'sessions.seconds': { one: 'second', other: '{count} seconds' },
  'sessions.days': { one: 'day', other: '{count} days' },
  'sessions.revoke': 'Revoke',
  'sessions.revokeOf': 'Revoke the session of {who}',
  'sessions.waiting': 'Continue in your wallet…',
  'sessions.declined': 'Not revoked: {reason}',
} as const
