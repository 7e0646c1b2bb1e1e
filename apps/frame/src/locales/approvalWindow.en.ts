/** Labels of decisions in a popup; they load with it. */
export const approvalWindow = {
  lead: 'This browser cannot prove that nothing covers this page. Approve in a separate window.',
  open: 'Open the window',
  waiting: 'Waiting for the window',
  left: 'The window closed before you decided. Open it again to continue.',
  unseen: 'Decide in the window. If none has opened, allow pop-ups for this page and try again.',
} as const
