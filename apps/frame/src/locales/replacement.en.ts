/** The texts of approvals that speed a transaction up or cancel it, which load with them. `{name}` is filled in. */
export const replacement = {
  titleSpeedUp: 'Speed up: {what}',
  titleCancel: 'Cancel a transaction?',
  actionSpeedUp: 'speed it up',
  actionCancel: 'cancel it',
  cancels: 'Is to be cancelled',
  asked: 'Transaction',
  feeBefore: 'Network fee so far, at most',
  onlyOne:
    'It takes the place of the transaction that is pending: one of both is done, never both.',
  mayBeLate:
    'It may come too late: if the network takes the first transaction before this one, that transaction is done. This one costs a fee as well.',
  feeEnough: 'The fee so far is above what the network asks now. A higher one may change nothing.',
} as const
