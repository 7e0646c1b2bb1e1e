import { enShared } from '../enShared.ts'

/** English messages about an embedded wallet that has no way of recovery yet. */
export const enBackup = {
  ...enShared,
  'backup.only': 'Only on this device',
  'backup.onlyHint': 'If you lose this device without a backup, you lose the wallet.',
  'backup.start': 'Back up',
  'backup.asking': 'Opening the secure window…',
  'backup.failed': 'The secure window did not open',
  'backup.failedHint': 'Before you receive anything, it asks how you get back in.',
  'backup.left': 'You closed the secure window',
  'backup.leftHint': 'Before you receive anything, back up your wallet there, or choose Later.',
} as const
