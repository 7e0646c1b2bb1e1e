/** English texts of signing in with a wallet. */
export const enSiwx = {
  'siwx.asks': '{name} wants to know that this wallet is yours',
  'siwx.thisApp': 'This app',
  'siwx.text': 'Sign a message to prove it. It sends nothing and is free.',
  'siwx.required': 'If you cancel, your wallet is disconnected.',
  'siwx.sign': 'Sign in',
  'siwx.signing': 'Signing…',
  'siwx.cancelling': 'Cancelling…',
  'siwx.failed': 'A problem occurred while trying initialize authentication',
  'siwx.message': 'Message',
} as const
