/** Labels of the pages that the user opens directly. `{name}` is filled in. */
export const pages = {
  brand: 'Latchkey',
  incomplete:
    'This link is not complete. Copy the whole link from the email and open it in this browser.',
  /** The window that uses passkeys for a frame which may not. */
  passkey: {
    title: 'Your passkey',
    alone:
      'This window cannot reach the page that opened it. Close it, and choose another way there.',
  },
  /** The form of the pages on which the user signs in. */
  signIn: {
    email: 'Email address',
    device: 'Open the link in the email we sent to {email}, and enter {code} there.',
  },
  /** The page that keeps the wallet if the browser keeps nothing for the frame. */
  wallet: {
    title: 'Your wallet in this browser',
    signIn: 'Sign in on this page first.',
    lead: 'This is the wallet’s own site. A wallet that you create or open here stays in this browser.',
    volatile:
      'This browser stores nothing here either, for example in a private window. You will need the passkey or kit to bring back a wallet that you create here.',
    kept: 'This browser keeps your wallet here. Leave this page open, and return to the previous page. If it asks how to get your wallet back, choose “{way}”; the request then appears here.',
  },
  export: {
    title: 'Recovery phrase',
    openTab:
      'Your phrase is shown only in its own tab, where the address bar says {host}. No page can draw over it there.',
    open: 'Open the tab',
    lead: 'Anyone who has these 24 words controls your money. We will never ask for them.',
    signIn: 'Sign in on this page first',
    hold: 'Hold to see the words',
    hidden: 'The words are hidden',
    word: 'Word {n}',
    private: 'Make sure that no one else can see your screen.',
    incomplete: 'This link is not complete. Open this page from your wallet again.',
    framed: 'This page does not open inside another page.',
    wipe: 'Hide and forget',
    wipedTitle: 'Hidden and forgotten',
    wiped: 'The words are gone from this page. You can close this tab.',
  },
  device: {
    title: 'Is this you?',
    lead: 'Someone wants to sign in with your email address.',
    where: 'On the site',
    browser: 'In',
    when: 'Started',
    digits: 'Enter the two digits shown there',
    approve: 'Yes, sign me in',
    refuse: 'Not you? Close this page, and nothing happens.',
    no: 'No, that’s not me',
    only: 'Choose yes only if you started this yourself, just now, on this site.',
    refusedTitle: 'Refused',
    refused: 'This sign-in has ended. You can close this tab.',
    approvedTitle: 'Approved',
    approved:
      'Your code is in a new email. Go back to the page where you started, and type it there. You can close this tab.',
    approvedWithCode:
      'Go back to the page where you started, and type the code from this email there. You can close this tab.',
    phone: 'We never ask for digits by phone or chat.',
    expires: 'Valid for {minutes} more minutes',
  },
  undo: {
    title: 'Undo a change',
    lead: 'The email address of your wallet was changed on {when}. You can change it back to',
    action: 'Change it back',
    doneTitle: 'Changed back',
    done: '{email} is your address again. Every browser that does not hold the wallet is signed out. You can close this tab.',
    expires: 'Valid for {hours} more hours',
    stopTitle: 'Stop a recovery',
    stopLead:
      'Someone asked to recover your wallet by email. If it was not you, stop it here. Then no one can ask again for a week, not even you.',
    stop: 'Stop it',
    stoppedTitle: 'Stopped',
    stopped: 'This request can no longer open your wallet. You can close this tab.',
  },
} as const
