/** The texts of what a window of ours decides, loaded with it. */
export const approvalWindow = {
  lead: 'This browser cannot prove that nothing covers this page. Approve in a window of its own.',
  open: 'Open the window',
  waiting: 'Waiting for the window',
  left: 'The window closed before you decided. Open it again to continue.',
  unseen: 'Decide in the window. If none has opened, allow windows for this page and try again.',
  device: 'Device',
  words: 'Words',
  /** A new device asks for the wallet. */
  letIn: {
    title: 'Does the new device show the same words?',
    action: 'let it in',
    group: 'Gets your wallet',
    what: 'It can then use your wallet as this browser does. Approve only if it is yours, in front of you, and shows these words.',
  },
  /** This one is the new device. */
  accept: {
    title: 'Does the other device show the same words?',
    action: 'use this wallet',
    group: 'The wallet that comes to this browser',
    what: 'Another wallet may come if the words differ. Approve only if your other device shows these words.',
  },
  revoke: {
    title: 'Remove this device?',
    action: 'remove it',
    group: 'Loses your wallet',
    what: 'It can no longer use your wallet.',
  },
} as const
