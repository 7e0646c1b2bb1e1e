/** The labels of the move to a new wallet. `{name}` is filled in. */
export const migration = {
  title: 'Replace this wallet',
  lead: 'A new wallet has a new key and new addresses. Move to a new wallet if someone may have a copy of your old key: the operator whose help you removed, or anyone who found a kit, a backup or your recovery phrase.',
  steps: 'How it goes',
  step1: 'You create the new wallet here, with a printed kit.',
  step2: 'You type the kit once, which shows that it works, and move.',
  step3: 'You send what you want to keep from the old wallet to the new one.',
  step4: 'You drop the old wallet, when nothing is left in it.',
  pause:
    'You can stop after each step and go on later. Until you drop it, the old wallet stays yours.',
  volatile:
    'This browser keeps nothing when it is closed, so it cannot hold two wallets. Open your wallet in another browser, or allow this site to store data.',
  create: 'Create a new wallet',
  making: 'Creating your new wallet',
  exists:
    'A new wallet was created before, with the kit that you printed then. Use that kit. The kit that you have just seen opens nothing.',
  ready:
    'Your new wallet is ready. Type its kit from the paper. This tries it out, and then your account moves to the new wallet in every browser.',
  move: 'Try the kit and move',
  moving: 'Trying the kit',
  noKit: 'If you do not have this kit, drop the new wallet and create another one.',
  inUse: 'In use in this browser',
  newWallet: 'Your new wallet',
  oldWallet: 'Your old wallet',
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
  moved:
    'This account was moved to another wallet, {address}, and this browser does not hold that one yet. If it was not you, send nothing to it.',
  nowNew: 'Your account uses the new wallet. You can add a passkey to it under Recovery.',
  useOld: 'Use the old wallet here',
  useOldHint:
    'To send what is left to the new wallet, or to see its recovery phrase. Only this browser changes, and you can come back here.',
  nowOld:
    'This browser uses the old wallet. Send what you want to keep to the new one, with Send on the page or in any app. Check the address in each approval. Send tokens and NFTs first: the coins pay the fees.',
  stayedOld:
    'Your account was moved to a new wallet, and this browser stays with the old one. To send what is left in it, first bring the new wallet here: this page then shows its addresses.',
  useNew: 'Use the new wallet here',
  unmoved:
    'This browser uses the new wallet, and the others still use the old one. To move, bring the old wallet here too.',
  bringOld: 'Bring the old wallet here',
  bringNew: 'Bring the new wallet here',
  elsewhereNew:
    'A new wallet was created in another of your browsers. Continue there, or bring it here with its kit. If it was not you, remove the devices that you do not know, and drop it.',
  elsewhereOld: 'Your old wallet is still there, but this browser does not hold it.',
  dropOld: 'Drop the old wallet',
  dropNew: 'Drop the new wallet',
  dropHint:
    'Deletes it from the server, immediately and permanently. Without its recovery phrase, everything in it is lost.',
  dropNewHint:
    'Deletes it from the server. Your account has not moved to it, so no site has its addresses. Other devices that hold it must be removed first.',
  dropLater:
    'This browser does not hold it. If you ask to drop it here, you can drop it a day later, unless it is used before then.',
  dropAt: 'You asked to drop it. That is possible after {when}. Then choose it again.',
  dropPasskey:
    'Your passkey recovers only the old wallet, so it confirms nothing after this: codes are enough again. First add a passkey to the new wallet, under Recovery.',
  dropConfirm: 'Type “drop this wallet” to continue',
  dropPhrase: 'drop this wallet',
  dropAction: 'Drop it',
  chooseExport: 'Which recovery phrase do you want to see?',
} as const
