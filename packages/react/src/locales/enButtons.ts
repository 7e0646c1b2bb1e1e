/** English messages that a page shows before the modal is loaded. */
export const enButtons = {
  'button.connect': 'Connect wallet',
  'button.connecting': 'Connecting…',
  'button.account': 'Account',
  'button.network': 'Network: {name}',
  'button.networkUnsupported': 'Unsupported network',
  'button.failed': 'Could not load. Try again',
} as const
