/**
 * Labels that a first login shows; the other files here have the rest. `{name}` is
 * filled in.
 */
export const en = {
  common: {
    cancel: 'Cancel',
    close: 'Close',
    back: 'Back',
    continue: 'Continue',
    done: 'Done',
    working: 'One moment',
    loading: 'Loading',
    lost: 'This did not load. Load the page again.',
    covered: 'Something covers this, or you cannot see all of it. Uncover it and press again.',
  },
  code: {
    title: 'Confirm your email',
    sentTo: 'Enter the six digits we sent to',
    digits: 'Code, six digits',
    digit: 'Digit {n} of 6',
    match: 'Our email shows {digits}. Different number? Don’t use that code.',
    inLinkMail: 'The code is in the email with the link, below the link.',
    secure: 'Only this secure window sees the code.',
    resend: 'Send another code',
    resendIn: 'Another code in {wait}',
    resent: 'A new code is on its way.',
    checking: 'Checking',
  },
  setup: {
    title: 'Keep your wallet safe',
    lead: 'How do you want to get back in if you lose this browser? Choose one now; you can add others later.',
    passkey: 'Passkey',
    passkeyHint:
      'Your phone, computer or security key opens it. No one else can, not even the operator.',
    passkeyMissing: 'This browser does not offer passkeys here.',
    passkeyUnfit: 'This device’s passkeys cannot reopen a wallet. Choose another way.',
    kit: 'Printed kit',
    kitHint:
      'Seven groups of letters on paper. No one else can use your wallet, not even the operator.',
    assisted: 'By email (less private)',
    assistedHint:
      'Easiest, but weaker: the operator of this server could sign for you, and so could anyone who takes over your mailbox.',
    /** The questions of a popup before the operator’s help. An action follows “Hold to”. */
    ask: {
      title: 'Create your wallet with the operator’s help?',
      action: 'create it',
      group: 'Who could use your wallet',
      operator: 'The operator',
      operatorText: 'Runs this server, and could sign for you.',
      mailbox: 'Your mailbox',
      mailboxText: 'Anyone who takes it over could open the wallet elsewhere.',
      what: 'With a passkey or a printed kit, only you can use it. To set up a passkey or a kit, reject this request.',
    },
    make: 'Create my wallet',
    making: 'Creating your wallet',
    makingPasskey:
      'Your browser asks for the passkey more than once: to make it, and to check that it opens your wallet.',
    makingHint: 'Your keys are made in this browser and checked before anything is shown.',
  },
  kit: {
    title: 'Your printed kit',
    lead: 'Print it or write it down, and keep it where you keep important papers. It is shown only once.',
    label: 'Recovery kit',
    print: 'Print',
    confirm: 'I’ve saved it',
    checkLead: 'The kit is hidden now. Read one group from your copy, to check that you have it.',
    check: 'Type group {n} of {count}',
    checkWrong: 'That is not group {n}. Check your copy, or show the kit again.',
    showAgain: 'Show the kit again',
  },
  /** For a frame that may not use passkeys. */
  passkeyWindow: {
    why: 'Passkeys don’t work in this box: the page or the browser may block them. A window of the wallet’s own site can use them.',
    open: 'Use the passkey in a window',
    shut: 'This page blocks the wallet’s window. Allow pop-ups for this page and try again, or choose another way.',
  },
  consent: {
    title: 'Show your account?',
    lead: 'wants to see',
    address: 'The addresses of your wallet',
    email: 'Your email address',
    name: 'The name of your sign-in',
    as: 'You are signed in as',
    allow: 'Show',
    deny: 'Not now',
    listed: 'This site is on a list of known scam sites. Do not show it your account.',
    note: 'This does not let it sign or spend anything.',
    /** The other questions of a popup. An action follows “Hold to”. */
    ask: {
      action: 'show it',
      group: 'This site sees',
      wallet: 'Wallet',
      person: 'You',
      what: 'It can look up everything these addresses own and have done. It cannot sign or spend anything.',
    },
  },
  error: {
    unknown: 'Something went wrong. Try again',
    stopped: 'You did not finish this. Try again, or choose another way.',
    passkeyThere:
      'This account already has a passkey here. Use another device or a security key to add a second one.',
    wait: 'Please try again after {wait}',
    tooManyCodes: 'Too many wrong codes. Please try again after {wait}',
    notAllowed: 'This page is not allowed to use the wallet.',
  },
} as const

/** The labels of the screen that sets up recovery, for a new wallet or an existing wallet. */
export type SetupTexts = {
  readonly [Key in keyof typeof en.setup]: Key extends 'ask'
    ? { readonly [Row in keyof typeof en.setup.ask]: string }
    : string
}

/** Replaces each `{name}` in a label. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
