/** Labels of sign-ins at providers. `{name}` is filled in. */
export const social = {
  title: 'Confirm that it is you',
  titleLink: 'Add a sign-in',
  continue: 'Continue with {provider}',
  other: 'Sign in another way',
  instead: 'Confirm with a sign-in instead',
  older:
    '{what}. Only a sign-in from before your email address, or a passkey that is three days old, confirms this. If you can use neither, add a passkey under Recovery: it confirms this three days later.',
  waiting: 'Continue in the provider’s window. If you closed it, start again.',
  unseen:
    'Continue in the window. If none has opened, allow pop-ups for this page and start again.',
  again: 'Start again',
  refused: {
    'not allowed': 'You did not allow the sign-in. Try again if you want to.',
    failed: 'The provider could not sign you in. Try again, or choose another way.',
    'other account':
      'That sign-in does not belong to this account. Choose the account that you signed in with.',
    'in use': 'That sign-in already belongs to another account. It cannot be added to this one.',
  },
  window: {
    /** The site follows, then `with`. */
    to: 'Signing in to',
    confirmingOn: 'Confirming on',
    addingOn: 'Adding a sign-in on',
    with: 'with {provider}',
    working: 'One moment',
    lost: 'This window has lost the page that opened it. Close it, and start again there.',
    done: 'Done. You can close this window.',
    refused: 'You did not allow the sign-in. Close this window to go back.',
    failed: 'The provider could not sign you in. Close this window, and try again.',
    ended: 'This sign-in was not started here, or has ended. Close this window and start again.',
    close: 'Close the window',
    ask: 'You continue to {provider}, then return to this site.',
    go: 'Continue to {provider}',
    back: 'Back to the site',
  },
  page: {
    title: 'Sign-ins',
    lead: 'Use any of these to sign in. To open your wallet in a new browser you also need a recovery method.',
    email: 'Email',
    add: 'Add {provider}',
    addText: 'Add a sign-in at {provider} to your account',
    remove: 'Remove',
    removeText: 'Remove the sign-in at {provider} from your account',
    removeEmailText: 'Remove this email address from your account:',
    passkey: 'Passkey',
    passkeyText: 'Your account began with it.',
    last: 'You cannot remove the last way to sign in.',
    lastPasskey:
      'The passkey is your only way to sign in. Add an email address under “Email” in the account settings.',
    none: 'This server offers no other sign-ins.',
  },
} as const
