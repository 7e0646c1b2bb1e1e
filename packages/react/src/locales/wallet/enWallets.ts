import { enShared } from '../enShared.ts'

/** English messages of the list of connected wallets. */
export const enWallets = {
  ...enShared,
  'wallets.inUse': 'In use',
  'wallets.switchTo': 'Switch to',
  'wallets.switched': '{address} of {name} is in use',
  'wallets.inWallet': 'Choose it in the wallet',
  'wallets.ordinals': 'For inscriptions',
  'wallets.more': { one: '{count} more account', other: '{count} more accounts' },
  'wallets.reconnecting': 'Reconnecting…',
  'wallets.unreached': 'Wallet not reachable',
  'wallets.noBalance': 'Balance unknown',
  'wallets.balancesFailed': 'Some balances could not be loaded',
  'wallets.disconnect': 'Disconnect {name}, {address}',
  'wallets.disconnected': '{name} is disconnected',
  'wallets.disconnectFailed': '{name} could not be notified. It is disconnected here',
  'wallets.also': 'Also connect {namespaces}',
  'wallets.hideAlso': 'Hide this offer',
  'wallets.another': 'Connect another wallet',
} as const
