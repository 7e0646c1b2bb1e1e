/** English messages of the view that explains networks, which load with it. */
export const enHelp = {
  'whatNetwork.ledgerTitle': 'A shared ledger',
  'whatNetwork.ledger': 'Each network records balances and transfers, with no single owner.',
  'whatNetwork.useTitle': 'Made for different uses',
  'whatNetwork.use': 'Some are cheaper or faster, others hold more value. Each has its own fee.',
  'whatNetwork.careTitle': 'Separate from each other',
  'whatNetwork.care':
    'What you own on one network is not on another. Check the network before you send.',
} as const
