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
  'token.history': 'Price history',
  'token.period': 'Period',
  'token.day': 'Day',
  'token.week': 'Week',
  'token.month': 'Month',
  'token.year': 'Year',
  'token.lineText': 'From {first} to {last}. Lowest {lowest}, highest {highest}.',
  'token.historyFailed': 'The price history could not be loaded',
  'token.noHistory': 'No earlier prices are known for this period',
  'token.asTable': 'Show as table',
  'token.asChart': 'Show as chart',
  'token.time': 'Time',
  'token.value': 'Value',
  'token.activity': 'Activity',
  'token.noActivity': 'None of your transactions here moved this token.',
  'token.noneYet': 'None of your latest transactions moved this token.',
} as const
