/** The texts of the move to a fresh wallet. `{name}` is filled in. */
export const fresh = {
  title: 'Move to a fresh wallet',
  lead: 'A fresh wallet has a new key and new addresses. Move to one if somebody may have a copy of your old key: the operator whose help you removed, or whoever found a kit, a backup or your recovery phrase.',
  steps: 'How it goes',
  step1: 'You create the fresh wallet here, with a printed kit.',
  step2: 'You send it what you want to keep.',
  step3: 'You use it. Sites see its addresses from then on.',
  step4: 'You drop the old wallet, when nothing is left in it.',
  pause:
    'You can stop after each step and go on later. Until you drop it, the old wallet stays yours.',
  create: 'Create a fresh wallet',
  making: 'Creating your fresh wallet',
  inUse: 'In use',
  freshWallet: 'Fresh wallet, not in use yet',
  oldWallet: 'Old wallet, not in use',
  evm: 'EVM networks',
  solana: 'Solana',
  copy: 'Copy',
  copyOn: 'Copy the address on {network}',
  copied: 'Copied',
  holdings: 'Still in the old wallet',
  holdingsNone: 'No coins of these networks',
  holdingsHint:
    'Only the coins that pay fees. Look for tokens, NFTs and positions in apps yourself.',
  unread: '{network}: cannot be read now',
  sendNow:
    'Send what you want to keep to the fresh wallet, with Send on the page or in any app. Check the address in each approval. Send tokens and NFTs first: the coins pay the fees.',
  use: 'Use the fresh wallet',
  useHint:
    'All your browsers follow. Each needs the new kit, or a device that has the fresh wallet.',
  useOld: 'Use the old wallet again',
  useOldHint: 'To send what is left, or to see its recovery phrase. You can come back here.',
  nowFresh: 'You use the fresh wallet. You can add a passkey to it under Recovery.',
  dropOld: 'Drop the old wallet',
  dropFresh: 'Drop the fresh wallet',
  dropHint:
    'Deletes it from the server, immediately and permanently. Without its recovery phrase, everything in it is lost.',
  dropConfirm: 'Type “drop this wallet” to continue',
  dropPhrase: 'drop this wallet',
  dropAction: 'Drop it',
  elsewhereFresh:
    'Another browser of yours has created a fresh wallet. Go on there. If it was not you, remove the devices that you do not know.',
  elsewhereOld: 'Your old wallet is still there, but this browser does not hold it.',
  moved:
    'This account was moved to another wallet, {address}, and this browser does not hold that one yet. If it was not you, send nothing to it.',
} as const
