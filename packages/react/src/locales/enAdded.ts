import { enShared } from './enShared.ts'

/** English messages of the list of tokens that the user has added, which load with it. */
export const enAdded = {
  ...enShared,
  'added.title': 'Tokens you added on this site',
  'added.remove': 'Remove',
  'added.removeToken': 'Remove {token}',
  'added.removed': '{token} was removed from the list',
  'added.removeFailed': '{token} could not be removed. Try again.',
  'added.failed': 'The tokens that you added could not be loaded',
  'added.unread': 'Its name and balance could not be read',
  'added.noName': 'Token without a name',
  'added.hiddenName': 'Name not shown',
  'added.copy':
    'It uses the name of another token that is listed, or of the currency of this network. It is not that token.',
  'added.bait': 'Its name reads like an invitation to a website or an app, so it is not shown.',
} as const
