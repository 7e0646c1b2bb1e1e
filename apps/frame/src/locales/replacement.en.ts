/**
 * Labels of approvals that speed up or cancel a transaction. They load with these approvals.
 * `{name}` is filled in.
 */
export const replacement = {
  titleSpeedUp: 'Speed up: {what}',
  titleCancel: 'Cancel a transaction?',
  actionSpeedUp: 'speed up',
  actionCancel: 'cancel it',
  cancels: 'To be canceled',
  asked: 'Transaction',
  feeBefore: 'Network fee so far, up to',
  feeSoFar: 'Network fee so far',
  onlyOne: 'It replaces the pending transaction. The network includes only one of the two.',
  mayBeLate:
    'It may come too late: if the network takes the first transaction before this one, that transaction is done. This one costs a fee as well.',
  mayBeLateFree:
    'It may come too late: if the network takes the first transaction before this one, that transaction is done.',
  endsBatch:
    'It belongs to several actions that are sent one after another. If you cancel this action, the later actions are not sent.',
  feeEnough: 'The current fee is already enough for the network. A higher fee may change nothing.',
} as const
