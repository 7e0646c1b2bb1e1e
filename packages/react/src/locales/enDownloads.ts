/** English messages of the views about getting a wallet, which load with them. */
export const enDownloads = {
  'getWallet.explore': 'Explore all wallets',
  'getWallet.failed': 'Wallets could not be loaded',
  'getWallet.none': 'None of the recommended wallets can connect on this phone yet.',
  'downloads.intro': 'Install {name}, then come back and connect.',
  'downloads.noRelay': 'This site can’t connect to {name} on phones yet.',
  'downloads.onComputer': 'Use its browser extension on a computer.',
  'downloads.chrome': 'Browser extension',
  'downloads.ios': 'iPhone and iPad',
  'downloads.android': 'Android',
  'downloads.website': 'Website',
  'downloads.webapp': 'Open the web wallet',
  'downloads.none': 'No download found for this wallet.',
  'downloads.failed': 'This wallet could not be loaded',
  'downloads.newTab': '{label}, opens in a new tab',
} as const
