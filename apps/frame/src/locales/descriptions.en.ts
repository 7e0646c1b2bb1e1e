/**
 * The texts around names that files of the operator give, loaded with them. `{name}` is filled in.
 */
export const descriptions = {
  intent: 'What it is for',
  owner: 'Described by',
  parameters: 'All its parameters',
  describedData: 'What it is called',
  describedCall:
    'Its names come from a file that the operator of this server chose. What the contract does beyond what is listed is not known.',
  describedBytes:
    'Its names come from a file that the operator of this server chose. It carries data that could not be read, which can be another call: it can do anything your account can.',
  namedCall:
    'Only its names are known, from the contract’s published source. It can do anything your account can.',
  rest: 'Not listed',
  restInData: 'Some names do not fit here. The data has everything.',
  more: '{count} more in the data',
  units: '{amount} smallest units of an unknown token',
  block: 'Block {number}',
  days: '{count} d',
  hours: '{count} h',
  minutes: '{count} min',
  seconds: '{count} s',
} as const
