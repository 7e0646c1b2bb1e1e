/**
 * Labels for codes that are not for sign-in, and for confirming a change of email. `{name}` is
 * filled in.
 */
export const codes = {
  change: {
    consentTitle: 'Change your email address?',
    change: 'Change your email address to',
    to: 'New address',
    from: 'Current address',
    action: 'change it',
    what: 'Codes will go there, and all other browsers are signed out. You can undo this from the current address for 72 hours.',
    encoded:
      'The part after @ contains letters other than a to z. It may look like another address when it is written out.',
    letters:
      'The part before @ contains letters other than a to z. It may look like another address.',
    addTitle: 'Add an email address?',
    add: 'Add this email address to your account',
    addAction: 'add it',
    addWhat:
      'Anyone who reads mail to this address can then sign in to your account, with codes sent there. This page sees the address.',
    titlePrimary: 'Confirm your current email',
    titleSecondary: 'Confirm your new email',
  },
  stepUp: {
    title: 'Confirm that it is you',
    titleRecovery: 'Confirm recovery',
    addPasskey: 'Add a passkey that recovers your wallet',
    addKit: 'Add a printed kit that recovers your wallet',
    addOperator: 'Add the operator’s help by email',
    remove: 'Remove this recovery method:',
    newKey: 'Make a new key that only the new printed kit recovers',
    delete: 'Delete your wallet and everything the server stores about you',
    deleteBoth: 'Delete both your wallets and everything the server stores about you',
    export: 'Show your recovery phrase',
    exportLeft: 'Show the recovery phrase of your old wallet',
    unlimited: 'Let others take assets without a limit, as you just approved',
    lostPasskey: 'Report a lost passkey. After one day, email codes alone work for one week.',
    createReplacement: 'Create a new wallet to move to',
    drop: 'Delete this unused wallet from the server:',
    change: 'Change your email address to',
    addEmail: 'Add this email address to your account:',
    recovery: 'Get your wallet into this browser with the operator’s help',
  },
} as const
