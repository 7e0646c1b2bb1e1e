import { enButtons } from './enButtons.ts'

/**
 * All English messages of the product. {@link createT} fills in `{name}`; an object is a plural,
 * chosen by `{count}` with the rules of the locale.
 */
export const en = {
  ...enButtons,

  'shell.back': 'Back',
  'shell.close': 'Close',
  'shell.help': 'What is a wallet?',
  'shell.loading': 'Loading…',
  'shell.viewFailed': 'This part could not be loaded',
  'shell.viewFailedHint': 'Check your connection and try again.',
  'shell.viewBroke': 'Something went wrong here',
  'shell.viewBrokeHint': 'This did not send or sign anything. Try again, or close this window.',

  'action.tryAgain': 'Try again',
  'action.copyFailed': 'Failed to copy',
  'action.cancel': 'Cancel',
  'action.getWallet': 'Get a wallet',

  'tag.installed': 'Installed',
  'tag.recent': 'Recent',
  'tag.code': 'QR code',
  'tag.app': 'App',
  'tag.web': 'Web app',
  'tag.get': 'Get',
  'tag.device': 'Device',
  'tag.safe': 'This Safe',
  'tag.window': 'Window',

  'siwx.title': 'Sign in',
  'siwx.signIns': 'Sign-ins',
  'siwx.asks': 'Prove to {name} that this wallet is yours',
  'siwx.thisApp': 'This app',
  'siwx.text': 'Sign a message. It’s free and sends nothing.',
  'siwx.required': 'If you cancel, your wallet is disconnected.',
  'siwx.sign': 'Sign in',
  'siwx.signing': 'Signing…',
  'siwx.cancelling': 'Canceling…',
  'siwx.failed': 'A problem occurred while trying initialize authentication',
  'siwx.message': 'Message',
  'connect.title': 'Connect wallet',
  'connect.loginTitle': 'Log in or connect',
  'connect.list': 'Wallets',
  'connect.allWallets': 'All wallets',
  'connect.allWalletsCount': { one: '{count} wallet', other: '{count} wallets' },
  'connect.loading': 'Loading wallets',
  'connect.emptyTitle': 'No wallet found in this browser',
  'connect.emptyHint': 'Install one and come back. It appears here automatically.',
  'connect.elsewhereTitle': 'Open this page in your wallet',
  'connect.elsewhereHint':
    'No wallet can be connected from this browser. Open this page in the browser of your wallet app, and connect there.',
  'connect.copyPage': 'Copy the address of this page',
  'connect.copied': 'Copied',
  'connect.directoryFailed': 'More wallets could not be loaded.',
  'connect.legalBefore': 'By connecting you agree to the',
  'connect.legalAccept': 'I agree to the',
  'connect.terms': 'Terms of Service',
  'connect.and': 'and the',
  'connect.privacy': 'Privacy Policy',
  'connect.newHere': 'New here?',
  'connect.startEmail': 'Start with your email',

  'connect.or': 'or',
  'connect.wallets': 'Continue with a wallet',

  'device.title': 'Confirm this browser',
  'code.title': 'Confirm email',
  'approve.title': 'Approve',
  'settings.title': 'Account settings',
  'updateEmail.title': 'Change email',
  'updateEmail.addTitle': 'Add email',
  'updateEmail.presentTitle': 'Confirm current email',
  'updateEmail.newTitle': 'Confirm new email',

  'allWallets.title': 'All wallets',

  'pairing.title': 'WalletConnect',

  'account.title': 'Account',
  'account.buy': 'Buy',
  'account.swap': 'Swap',
  'account.names': 'Names',
  'account.wallets': 'Wallets',
  'account.allowances': 'Allowances',
  'account.sessions': 'Smart sessions',
  'account.token': 'Token',
  'account.nft': 'NFT',
  'account.activity': 'Activity',
  'account.transaction': 'Transaction',

  'networks.title': 'Choose network',

  'switch.title': 'Switch network',

  'unsupported.title': 'Switch network',

  'send.title': 'Send',

  'selectToken.title': 'Select token',

  'preview.title': 'Review transfer',
  'preview.swapTitle': 'Review swap',
  'preview.requestTitle': 'Review request',

  'confirmed.title': 'Transfer',

  'calls.title': 'Transactions',

  'buy.chooseProvider': 'Choose provider',
  'buy.chooseCurrency': 'Choose currency',

  'receive.title': 'Receive',

  'whatWallet.title': 'What is a wallet?',
  'whatWallet.homeTitle': 'A home for what you own',
  'whatWallet.home': 'A wallet keeps the keys to your coins, tokens and collectibles.',
  'whatWallet.loginTitle': 'One way to sign in',
  'whatWallet.login': 'Connect it instead of creating yet another account and password.',
  'whatWallet.yoursTitle': 'Yours alone',
  'whatWallet.yours':
    'We will never ask for your recovery phrase. Anyone who has it controls your wallet.',

  'whatNetwork.title': 'What is a network?',

  'getWallet.title': 'Get a wallet',

  'downloads.title': 'Get {name}',
  'downloads.titleUnknown': 'Get a wallet',

  'toast.close': 'Close message',
  'alert.close': 'Close notice',
} as const
