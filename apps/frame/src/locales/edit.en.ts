/** Labels of the form that changes an amount; they load with it. `{name}` is filled in. */
export const edit = {
  label: 'Limit in {symbol}',
  hint: 'The site asks for an unlimited amount. Its next step may fail if it needs more than you allow.',
  hintMax:
    'The site asks for {max} {symbol}. Its next step may fail if it needs more than you allow.',
  cancel: 'Cancel',
  use: 'Use this amount',
  form: 'Enter the amount in digits, with a point before decimals, like 12.5',
  ambiguous: 'This can mean {whole} or {fraction}. Enter the amount you mean.',
  decimals: '{symbol} has at most {decimals} decimals',
  zero: 'Enter an amount above zero, or reject the request',
  max: 'Enter {max} or less: the site requests {max}',
} as const
