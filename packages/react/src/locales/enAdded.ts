import { enShared } from './enShared.ts'

/** English messages of the list of tokens that the user has added, which load with it. */
export const enAdded = {
  ...enShared,
  'added.title': 'Tokens you added on this site',
  'added.remove': 'Remove',
  'added.removeToken': 'Remove {token}',
  'added.removed': '{token} was removed from the list',
  'added.removeFailed': '{token} could not be removed. Try again.',
  'added.failed': 'Your added tokens could not be loaded',
  'added.unread': 'Name and balance could not be read',
  'added.noName': 'Token without a name',
  'added.hiddenName': 'Name not shown',
  'added.copy':
    'It uses the name of another listed token or of this network’s currency. It is not that token.',
  'added.bait': 'Its name looks like an invitation to a website or app, so it is not shown.',
} as const
