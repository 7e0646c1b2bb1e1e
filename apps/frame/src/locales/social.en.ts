/** The texts of sign-ins at providers. `{name}` is filled in. */
export const social = {
  title: 'Confirm that it is you',
  titleLink: 'Add a sign-in',
  continue: 'Continue with {provider}',
  other: 'Sign in another way',
  waiting: 'Sign in in the window of the provider.',
  blocked: 'The browser did not open the window. Allow pop-ups for this page, or press again.',
  again: 'Start again',
  refused: {
    'not allowed': 'You did not allow the sign-in. Try again if you want to.',
    failed: 'The provider could not sign you in. Try again, or choose another way.',
    'other account':
      'That is not a sign-in of this account. Choose the one that you signed in with.',
    'in use': 'That sign-in already has an account of its own. It cannot be added to this one.',
  },
  window: {
    to: 'Signing in to',
    with: 'with {provider}',
    working: 'One moment',
    lost: 'This window has lost the page that opened it. Close it, and start again there.',
    done: 'You are signed in. You can close this window.',
    refused: 'You did not allow the sign-in. Close this window to go back.',
    failed: 'The provider could not sign you in. Close this window, and try again.',
    ended: 'This sign-in was not begun here, or has ended. Close this window, and start again.',
    close: 'Close the window',
  },
  page: {
    title: 'Sign-ins',
    lead: 'Each of these signs in to this account. They do not open your wallet in a new browser: recovery does.',
    email: 'E-mail',
    add: 'Add {provider}',
    addText: 'Add a sign-in at {provider} to your account',
    remove: 'Remove',
    removeText: 'Remove the sign-in at {provider} from your account',
    last: 'You cannot remove the last way to sign in.',
    none: 'This server offers no other sign-ins.',
  },
} as const
