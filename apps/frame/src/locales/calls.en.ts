/** Labels of batches and of the smart account; they load with them. `{name}` is filled in. */
export const callsTexts = {
  numbered: '{number} of {total}: {label}',
  together: 'How they are sent',
  allOrNothing: 'As one. If one of them fails, none takes effect.',
  oneByOne:
    'One after another, each with its own fee. If one fails, the earlier ones stay and the later ones are not sent.',
  fee: 'Network fee',
  sponsored: 'None: {name} pays it',
  payer: 'Who pays it',
  notSponsored: 'You. {name} does not pay for this transaction',
  reverted: 'The network refused it. Nothing was sent, and you paid nothing.',
  notTaken: 'no block includes it',
  turnsOn: 'Turns on your smart account',
  whatChanges: 'What changes',
  explanation:
    'Your address and keys stay the same. On this network you can then do several steps as one, and others can pay your fees. You can turn it off in the settings.',
} as const
