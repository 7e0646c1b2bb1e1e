import { enButtons } from './enButtons.ts'

/**
 * Every English text of the product. `{name}` is filled in by {@link createT}; an object is a plural, chosen by
 * `{count}` with the rules of the locale.
 */
export const en = {
  ...enButtons,

  'shell.dialog': 'Wallet',
  'shell.back': 'Back',
  'shell.close': 'Close',
  'shell.help': 'What is a wallet?',
  'shell.loading': 'Loading…',
  'shell.viewFailed': 'This part could not be loaded',
  'shell.viewFailedHint': 'Check your connection and try again.',
  'shell.viewBroke': 'Something went wrong here',
  'shell.viewBrokeHint': 'This did not send or sign anything. Try again, or close this window.',

  'action.tryAgain': 'Try again',
  'action.copy': 'Copy',
  'action.copied': 'Copied',
  'action.copyFailed': 'Failed to copy',
  'action.copyAddress': 'Copy address',
  'action.cancel': 'Cancel',
  'action.done': 'Done',
  'action.disconnectAll': 'Disconnect all',
  'action.disconnect': 'Disconnect',
  'action.disconnecting': 'Disconnecting…',
  'action.getWallet': 'Get a wallet',
  'action.clear': 'Clear',

  'tag.installed': 'Installed',
  'tag.recent': 'Recent',
  'tag.code': 'QR code',

  'siwx.title': 'Sign in',
  'connect.title': 'Connect wallet',
  'connect.list': 'Wallets',
  'connect.allWallets': 'All wallets',
  'connect.allWalletsCount': { one: '{count} wallet', other: '{count} wallets' },
  'connect.loading': 'Loading wallets',
  'connect.emptyTitle': 'No wallet found in this browser',
  'connect.emptyHint': 'Install one, then come back: it will appear here by itself.',
  'connect.directoryFailed': 'More wallets could not be loaded.',
  'connect.legalBefore': 'By connecting you agree to the',
  'connect.legalAccept': 'I agree to the',
  'connect.terms': 'Terms of Service',
  'connect.and': 'and the',
  'connect.privacy': 'Privacy Policy',
  'connect.legalFirst': 'Accept the terms above to choose a wallet',
  'connect.newHere': 'New to wallets?',

  'connect.or': 'or',
  'connect.wallets': 'Continue with a wallet',

  'email.label': 'E-mail address',
  'email.placeholder': 'Your e-mail address',
  'email.submit': 'Continue with e-mail',
  'email.invalid': 'Enter a valid e-mail address',
  'email.wait': {
    one: 'Please try again after {count} second',
    other: 'Please try again after {count} seconds',
  },
  'email.opening': 'Opening the secure window…',
  'device.title': 'Confirm this browser',
  'code.title': 'Confirm e-mail',
  'approve.title': 'Approve',
  'settings.title': 'Account settings',
  'updateEmail.title': 'Change e-mail',
  'updateEmail.presentTitle': 'Confirm current e-mail',
  'updateEmail.newTitle': 'Confirm new e-mail',

  'allWallets.title': 'All wallets',
  'allWallets.search': 'Search wallets',
  'allWallets.empty': 'No wallet found',
  'allWallets.emptyHint': 'Nothing matches “{search}”. Try another word.',
  'allWallets.failed': 'Wallets could not be loaded',
  'allWallets.found': { one: '{count} wallet found', other: '{count} wallets found' },

  'connecting.title': 'Connect {name}',
  'connecting.waiting': 'Continue in {name}',
  'connecting.waitingHint': 'Accept the connection request in your wallet.',
  'connecting.slow': 'Nothing happening? Open {name} and look for the request, or try again.',
  'connecting.declined': 'Connection declined',
  'connecting.declinedHint':
    'You can try again. If an earlier request is still open in the wallet, close it first.',
  'connecting.pending': 'A request is already open',
  'connecting.pendingHint': 'Open {name} and answer the request that waits there.',
  'connecting.failed': 'Could not connect',
  'connecting.gone': '{name} is not available',
  'connecting.goneHint': 'The wallet is not in this browser any more. Choose another one.',
  'connecting.other': 'Choose another wallet',

  'pairing.title': 'WalletConnect',
  'pairing.late': 'No connection to the relay',
  'pairing.lateHint':
    'A relay carries messages between this page and your wallet. Check your network and try again.',

  'remote.hint': 'Open {name} on your phone and answer the request there.',
  'remote.hintHere': 'Open {name} and answer the request there.',
  'remote.open': 'Open {name}',

  'account.title': 'Account',
  'account.balance': 'Balance',
  'account.send': 'Send',
  'account.buy': 'Buy',
  'account.swap': 'Swap',
  'account.names': 'Names',
  'account.allowances': 'Allowances',
  'account.receive': 'Receive',
  'account.explorer': 'Explorer',
  'account.tabs': 'What this account holds',
  'account.token': 'Token',
  'account.tokens': 'Tokens',
  'account.nfts': 'NFTs',
  'account.nft': 'NFT',
  'account.activity': 'Activity',
  'account.gone': 'You are not connected',
  'account.disconnectFailed': 'The wallet could not be disconnected',

  'account.namespaces': 'Accounts',
  'account.connect': 'Connect',
  'account.notConnected': 'No {name} wallet is connected',
  'account.notConnectedHint': 'Your other accounts stay connected.',

  'networks.title': 'Choose network',

  'switch.title': 'Switch network',

  'unsupported.title': 'Switch network',

  'send.title': 'Send',

  'selectToken.title': 'Select token',

  'preview.title': 'Review',
  'preview.waiting': 'Confirm in your wallet',
  'preview.network': 'Network',

  'confirmed.title': 'Sent',

  'buy.chooseProvider': 'Choose provider',
  'buy.chooseCurrency': 'Choose currency',

  'receive.title': 'Receive',
  'receive.hint': 'Scan the code, or copy your address.',
  'receive.qr': 'QR code of your address',
  'receive.only': 'Send only {network} assets to this address.',

  'whatWallet.title': 'What is a wallet?',

  'whatNetwork.title': 'What is a network?',

  'getWallet.title': 'Get a wallet',

  'downloads.title': 'Get {name}',
  'downloads.titleUnknown': 'Get a wallet',

  'toast.close': 'Close message',
  'alert.close': 'Close notice',
} as const
