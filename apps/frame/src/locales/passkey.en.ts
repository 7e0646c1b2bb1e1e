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
  new: 'Create a wallet with a passkey',
  /** The site follows. */
  newText:
    'Your phone, computer or security key keeps a passkey. It is your sign-in, without an email address, and opens your wallet in other browsers. Your browser may show its prompt more than once. You show the addresses of the new wallet to',
  /** For a page on which recovery may come later. The site follows. */
  newHereText:
    'Your phone, computer or security key keeps a passkey. It is your sign-in, without an email address. The wallet is only in this browser, and lost with it, until you back it up. You show the addresses of the new wallet to',
  make: 'Create my wallet',
  /** The name in the browser’s list of passkeys. */
  newName: 'Wallet of {when}',
  /** For the passkey that began the account, which can also recover the wallet. */
  firstHint:
    'The passkey that you sign in with. It then opens your wallet in other browsers too. Not even the operator can do that.',
  firstAsking:
    'Your browser prompts for the passkey twice, to check that it opens your wallet each time.',
  firstText:
    'You sign in with this passkey, and it can recover your wallet too. Your browser prompts for it twice, to check that it opens your wallet each time.',
  another: 'Add another passkey',
  offer: 'Or use your passkey instead: choose it in the first box.',
  lost: 'Your passkey is reported as lost',
  lostText:
    'From {when} on, a code is enough to change your account, for a week. Using a passkey before then cancels the report.',
  understood: 'Understood',
} as const
