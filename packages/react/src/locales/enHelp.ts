/**
 * English messages of the views that explain what a wallet and a network are, which load with them.
 */
export const enHelp = {
  'whatWallet.homeTitle': 'A home for what you own',
  'whatWallet.home': 'A wallet keeps the keys to your coins, tokens and collectibles.',
  'whatWallet.loginTitle': 'One way to sign in',
  'whatWallet.login': 'Connect it instead of creating yet another account and password.',
  'whatWallet.yoursTitle': 'Yours alone',
  'whatWallet.yours':
    'We will never ask for your recovery phrase. Anyone who has it controls your wallet.',

  'whatNetwork.ledgerTitle': 'A shared ledger',
  'whatNetwork.ledger': 'Each network records balances and transfers, with no single owner.',
  'whatNetwork.useTitle': 'Made for different uses',
  'whatNetwork.use': 'Some are cheaper or faster, others hold more value. Each has its own fee.',
  'whatNetwork.careTitle': 'Separate from each other',
  'whatNetwork.care':
    'What you own on one network is not on another. Check the network before you send.',
} as const
