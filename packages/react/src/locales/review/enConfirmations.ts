/** English messages about transactions that wait for the account's owners, which load with them. */
export const enConfirmations = {
  'confirmations.text':
    'The owners of this {name} confirm transactions together and send them in nonce order. This page continues once yours is sent. You can leave and find it in your {name}.',
  'confirmations.threshold': 'Owners who have to confirm: {threshold} of {owners}',
  'confirmations.confirmed': 'Confirmed: {confirmed} of {required}',
  'confirmations.left': {
    one: 'One more owner has to confirm.',
    other: '{count} more owners have to confirm.',
  },
  'confirmations.enough':
    'Enough owners have confirmed. Now one of them has to send it in your {name}.',
  'confirmations.nonce': 'Nonce {nonce}: next to be sent.',
  'confirmations.queued': 'Nonce {nonce}: the next to be sent is {next}, so others go first.',
  'confirmations.replaced':
    'Nonce {nonce} was used by another transaction, so this one can no longer be sent. Request it again.',
} as const
