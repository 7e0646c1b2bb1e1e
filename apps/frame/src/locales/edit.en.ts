/** The texts of changing an amount, loaded with it. `{name}` is filled in. */
export const edit = {
  label: 'It may take at most, in {symbol}',
  hint: 'The site asks for an unlimited amount. Its next step may fail if it needs more than you allow.',
  hintMax:
    'The site asks for {max} {symbol}. Its next step may fail if it needs more than you allow.',
  cancel: 'Cancel',
  use: 'Use this amount',
  form: 'Write the amount with digits, and a point before decimals, like 12.5',
  ambiguous: 'This can mean {whole} or {fraction}. Write one of the two.',
  decimals: '{symbol} has {decimals} decimals at most',
  zero: 'Write an amount above zero, or reject the request',
  max: 'Enter {max} or less, which is what the site requests',
} as const
