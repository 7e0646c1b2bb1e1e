/** Messages for a browser that keeps nothing for the frame. `{name}` is filled in. */
export const volatile = {
  text: 'This browser keeps nothing for the wallet on this page. Whenever the page is loaded again, you have to sign in again and bring your wallet back with the way that you choose below.',
  window: 'In a window of {host}, this browser may keep it. You can make the wallet there.',
  open: 'Open {host}',
  made: 'I have made it there',
} as const
