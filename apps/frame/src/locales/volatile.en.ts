/** Messages for a browser that does not keep what the frame stores. `{name}` is filled in. */
export const volatile = {
  none: 'This browser stores nothing for the wallet on this page. After every reload, you have to sign in again and bring your wallet back.',
  visit:
    'This browser deletes what the wallet stores on this page when you close the page or the browser. After that, you have to sign in again and bring your wallet back.',
  way: 'Below, you choose how to bring it back.',
  wayOrMail: 'Below, you choose how to bring it back. By email, this takes a day each time.',
  window: 'In a window of {host}, this browser may keep it. You can create the wallet there.',
  again:
    'A window of {host} may keep your wallet in this browser. If it does, open it, and choose “{way}” here.',
  open: 'Open {host}',
  made: 'I’ve created it there',
} as const
