/** English messages of the views about networks, which load with them. */
export const enNetworks = {
  'namespace.networks': '{name} networks',
  'networks.search': 'Search networks',
  'networks.active': 'Active',
  'networks.empty': 'No network found',
  'networks.emptyHint': 'Nothing matches “{search}”. Try another word.',
  'networks.hint': 'Your wallet may not support some of these networks.',
  'networks.what': 'What is a network?',
  'switch.waiting': 'Approve in your wallet',
  'switch.waitingHint': 'Accept the request to change to {name}.',
  'switch.slow': 'Nothing happening? Open your wallet and look for the request, or try again.',
  'switch.declined': 'Switch declined',
  'switch.declinedHint': 'You can try again, or stay on the network you are on.',
  'switch.unsupported': '{name} is not supported',
  'switch.unsupportedHint': 'Your wallet cannot change to this network. Choose another one.',
  'switch.failed': 'Could not switch',
  'unsupported.text':
    'This app does not support the network your wallet is on. Switch to one of these to continue.',
  'unsupported.or': 'or',

  'tag.testnet': 'Testnet',
} as const
