/**
 * Labels for descriptions from the operator's files; they load with them. `{name}` is filled in.
 */
export const descriptions = {
  intent: 'Purpose',
  owner: 'Described by',
  parameters: 'All parameters',
  describedData: 'Name',
  describedCall:
    'Its names come from a file that the operator of this server chose. What the contract does beyond what is listed is not known.',
  describedBytes:
    'Its names come from a file that the operator of this server chose. It carries data that could not be read, which can be another call: it can do anything your account can.',
  namedCall:
    'Only its names are known, from the contract’s published source. It can do anything your account can.',
  rest: 'Not listed',
  restInData: 'Some names do not fit here. The data below is complete.',
  more: '{count} more in the data',
  units: '{amount} smallest units of an unknown token',
  block: 'Block {number}',
  days: '{count} d',
  hours: '{count} h',
  minutes: '{count} min',
  seconds: '{count} s',
} as const
