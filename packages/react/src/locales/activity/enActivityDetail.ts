import { enActivity } from '../enActivity.ts'

/** English messages of a transaction's view, which load with it. */
export const enActivityDetail = {
  ...enActivity,

  'detail.status': 'Status',
  'detail.confirmed': 'Confirmed',
  'detail.failedHint': 'Nothing was moved.',
  'detail.pendingHint': 'It is waiting for a block.',
  'detail.block': 'Block {block}',
  'detail.when': 'When',
  'detail.worth': 'Worth then',
  'detail.from': 'From',
  'detail.to': 'To',
  'detail.spender': 'For',
  'detail.copySpender': 'Copy the spender’s address',
  'detail.fee': 'Network fee',
  'detail.sponsored': 'Paid for you',
  'detail.feeNow': '≈ {value} now',
  'detail.contract': 'A contract. No name is known for it.',
  'detail.paidByYou': 'Paid by you',
  'detail.paidBy': 'Paid by {who}',
  'detail.copyFrom': 'Copy the sender’s address',
  'detail.copyTo': 'Copy the receiver’s address',
  'detail.order': 'Order number',
  'detail.id': 'Transaction ID',
  'detail.view': 'View in explorer',
  'detail.note': 'Note',
  'detail.noteHint': 'Only in this browser. At most {count} characters.',
  'detail.noteSaved': 'Note saved',
} as const
