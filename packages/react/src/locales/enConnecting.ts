/**
 * English messages of the views behind the list of wallets: all wallets, and connecting. They load
 * with these views.
 */
export const enConnecting = {
  'allWallets.search': 'Search wallets',
  'allWallets.empty': 'No wallet found',
  'allWallets.emptyHint': 'Nothing matches “{search}”. Try another word.',
  'allWallets.failed': 'Wallets could not be loaded',
  'allWallets.found': { one: '{count} wallet found', other: '{count} wallets found' },
  'connecting.waiting': 'Continue in {name}',
  'connecting.waitingHint': 'Accept the connection request in your wallet.',
  'connecting.deviceHint': 'Plug it in, unlock it, and open its Ethereum app.',
  'connecting.slow': 'Nothing happening? Open {name} and look for the request, or try again.',
  'connecting.declined': 'Connection declined',
  'connecting.declinedHint':
    'You can try again. If an earlier request is still open in the wallet, close it first.',
  'connecting.pending': 'A request is already open',
  'connecting.pendingHint': 'Open {name} and respond to the request there.',
  'connecting.failed': 'Could not connect',
  'connecting.gone': '{name} is not available',
  'connecting.goneHint': 'This wallet is no longer in this browser. Choose another one.',
  'connecting.other': 'Choose another wallet',
  'connecting.plain': 'This browser cannot reach {name}',
  'connecting.webHidHint':
    'It has no access to devices. Use Chrome, Edge or Brave on a computer, or choose another wallet.',
  'choose.hint': 'Choose which {name} account to connect.',
  'choose.groups': 'How accounts are numbered',
  'choose.list': 'Accounts',
  'choose.account': 'Account {number}',
  'choose.reading': 'Reading the next account…',
  'choose.more': 'Show more',
  'pairing.late': 'No connection to the relay',
  'pairing.lateHint':
    'A relay carries messages between this page and your wallet. Check your network and try again.',
  'remote.hint': 'Open {name} on your phone and respond to the request there.',
  'remote.hintHere': 'Open {name} and respond to the request there.',
  'remote.device': 'Unlock the {name}, open its Ethereum app, and confirm there.',
  'remote.open': 'Open {name}',
} as const
