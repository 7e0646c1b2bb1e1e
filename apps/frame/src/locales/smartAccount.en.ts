/** Labels of the smart account's settings. `{name}` is filled in. */
export const smartAccount = {
  working: 'Working',
  isOn: 'Your smart account sends batches, and transactions whose fee the operator pays.',
  isOff: 'Your smart account is not in use.',
  turnOn: 'Use the smart account',
  stopUsing: 'Pause smart account',
  delegatedOn: 'Turned on for your address on {network}.',
  turnOff: 'Remove it from {network}',
  nowhere:
    'It is not turned on for your address on any network yet. The first batch that you approve turns it on.',
  close: 'Close',
} as const
