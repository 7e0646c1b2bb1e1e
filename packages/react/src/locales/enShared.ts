/** English messages that views of several areas share, and that none of the first views shows. */
export const enShared = {
  'action.copy': 'Copy',
  'action.copied': 'Copied',
  'action.copyAddress': 'Copy address',
  'action.done': 'Done',
  'amount.ambiguous': '{typed} can mean two amounts. Which one?',
  'amount.whole': 'Show all digits',
  'account.send': 'Send',
  'account.receive': 'Receive',
  'account.tokens': 'Tokens',
  'account.gone': 'You are not connected',
  'preview.waiting': 'Confirm in your wallet',
  'preview.network': 'Network',
} as const
