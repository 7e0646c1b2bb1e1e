/** The texts of the smart account's settings. `{name}` is filled in. */
export const smartAccount = {
  working: 'Working',
  isOn: 'Batches of sites are sent by your smart account.',
  isOff: 'Your smart account is not used.',
  turnOn: 'Use the smart account',
  stopUsing: 'Stop using it',
  delegatedOn: 'Turned on for your address on {network}.',
  turnOff: 'Turn it off on {network}',
  nowhere:
    'It is not turned on for your address on any network yet. The first batch that you approve does that.',
  close: 'Close',
} as const
