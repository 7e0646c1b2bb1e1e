/** English messages about transactions that wait for the account's owners, which load with them. */
export const enConfirmations = {
  'confirmations.text':
    'The owners of this {name} confirm together, and its transactions are sent in the order of their nonces. This page goes on when yours was sent; if you leave, you find it in your {name}.',
  'confirmations.threshold': 'Owners who have to confirm: {threshold} of {owners}',
  'confirmations.confirmed': 'Confirmed: {confirmed} of {required}',
  'confirmations.left': {
    one: 'One more owner has to confirm.',
    other: '{count} more owners have to confirm.',
  },
  'confirmations.enough':
    'Enough owners have confirmed. Now one of them has to send it in your {name}.',
  'confirmations.nonce': 'Nonce {nonce}: it is the next to be sent.',
  'confirmations.queued': 'Nonce {nonce}: the next to be sent is {next}, so others go first.',
  'confirmations.replaced':
    'Nonce {nonce} was used by another transaction, so this one cannot be sent any more. Ask for it again.',
} as const
