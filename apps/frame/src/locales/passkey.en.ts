/** Labels of passkeys that sign in and confirm changes. `{name}` is filled in. */
export const passkey = {
  title: 'Confirm with your passkey',
  use: 'Use your passkey',
  cannot: 'I can’t use it',
  add: 'Add a passkey',
  addText:
    'Your phone, computer or security key keeps it. It recovers your wallet, signs you in and confirms changes.',
  login: 'Sign in with a passkey',
  loginText: 'You sign in, and show the addresses of your wallet and your email address, to',
  offer: 'Or use your passkey instead: choose it in the first box.',
  lost: 'Your passkey is reported as lost',
  lostText:
    'From {when} on, a code is enough to change your account, for a week. Using a passkey before then cancels the report.',
  understood: 'Understood',
} as const
