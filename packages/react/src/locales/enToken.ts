import { enActivity } from './enActivity.ts'

/** English texts of the view of one token, which load with it. */
export const enToken = {
  ...enActivity,

  'token.gone': 'This token is not in your account',
  'token.goneHint': 'It may be on another network, or you hold it no more.',
  'token.failed': 'This token could not be loaded',
  'token.balance': 'You hold',
  'token.price': 'Price',
  'token.priceNow': 'A moment ago',
  'token.noPrice': 'No source knows a price',
  'token.contract': 'Contract',
  'token.view': 'View in explorer',
  'token.activity': 'Activity',
  'token.noActivity': 'None of your transactions here moved this token.',
  'token.noneYet': 'None of your latest transactions moved this token.',
} as const
