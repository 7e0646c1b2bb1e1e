import { enActivity } from './enActivity.ts'
import { enShared } from './enShared.ts'

/** English messages of the view of allowances, which load with it. */
export const enAllowances = {
  ...enShared,
  ...enActivity,

  'allowances.intro': 'This can be taken from your account at any time, without asking you again.',
  'allowances.list': 'Allowances',
  'allowances.empty': 'No allowances',
  'allowances.emptyHint': 'No app can take your tokens or NFTs on {network}.',
  'allowances.searching': 'Looking for allowances',
  'allowances.searchingHint':
    'The history of this account is still being read. Allowances appear as they are found.',
  'allowances.failed': 'Allowances could not be loaded',
  'allowances.more': 'Load more',
  'allowances.spam': { one: '{count} that looks like spam', other: '{count} that look like spam' },
  'allowances.spamHint':
    'You did not approve these. Most are bait: leave them alone, and don’t visit any website they name.',

  'allowances.atRisk': {
    one: '{count} app can take {value}',
    other: '{count} apps can take {value}',
  },
  'allowances.atRiskLeast': {
    one: '{count} app can take at least {value}',
    other: '{count} apps can take at least {value}',
  },
  'allowances.atRiskUnpriced': {
    one: '{count} app can take assets of unknown value',
    other: '{count} apps can take assets of unknown value',
  },
  'allowances.atRiskNothing': 'No app can take anything now',

  'allowances.takesAll': 'Can take all your {token} ({value})',
  'allowances.takesPart': 'Can take {amount} {token} ({value})',
  'allowances.takesUpTo': 'Can take up to {amount} {token} (your balance is unknown)',
  'allowances.takesUnknown': 'Can take an unknown amount of {token}',
  'allowances.takesNft': 'Can take this NFT ({value})',
  'allowances.takesNfts': 'Can take all your {token} NFTs ({value})',
  'allowances.takesNothing': 'Nothing now; it could take what arrives',
  'allowances.takesExpired': 'Expired: it can take nothing',
  'allowances.noPrice': 'no price known',
  'allowances.old': 'No limit for over 90 days',

  'allowances.unlimited': 'Unlimited',
  'allowances.unknown': 'Unknown amount',
  'allowances.all': 'All NFTs',
  'allowances.to': 'To {who}',
  'allowances.byPermit2': 'To {who} via Permit2',
  'allowances.changed': 'changed {age} ago',
  'allowances.expires': 'until {date}',
  'allowances.spender': 'Address of {who}',

  'allowances.fee': 'Network fee, up to',
  'allowances.feePaid': 'Network fee',
  'allowances.revoke': { one: 'Revoke {count}', other: 'Revoke {count}' },
  'allowances.select': 'Select the allowances to revoke.',
  'allowances.waiting': 'Continue in your wallet…',
  'allowances.step': 'Transaction {number} of {count}',
  'allowances.asOne': 'In one transaction: all or nothing',
  'allowances.declined': 'You declined. Allowances you confirmed before stay revoked.',
  'allowances.done': { one: 'Allowance revoked', other: '{count} allowances revoked' },
} as const
