/** Labels of the migration to a new wallet. `{name}` is filled in. */
export const migration = {
  title: 'Replace this wallet',
  lead: 'A new wallet has a new key and new addresses. Move to a new wallet if someone may have a copy of your old key: the operator whose help you removed, or anyone who found a kit, a backup or your recovery phrase.',
  steps: 'How it goes',
  step1: 'You create the new wallet here, with a printed kit.',
  step2: 'You type the kit once, which shows that it works, and move.',
  step3: 'You send what you want to keep from the old wallet to the new one.',
  step4: 'When the old wallet is empty, you delete it.',
  pause:
    'You can stop after each step and continue later. Until you delete it, the old wallet stays yours.',
  volatile:
    'This browser deletes everything when you close it, so it cannot hold two wallets. Open your wallet in another browser, or allow this site to store data.',
  create: 'Create a new wallet',
  making: 'Creating your new wallet',
  exists:
    'You already created a new wallet, with a kit that you printed then. Use that kit. The kit that you have just seen opens nothing.',
  ready:
    'Your new wallet is ready. Type its kit from the paper. If it works, your account moves to the new wallet in every browser.',
  move: 'Check the kit and move',
  moving: 'Checking the kit',
  noKit: 'If you do not have this kit, delete the new wallet and create another one.',
  inUse: 'In use in this browser',
  newWallet: 'Your new wallet',
  oldWallet: 'Your old wallet',
  evm: 'Ethereum & EVM networks',
  solana: 'Solana',
  copy: 'Copy',
  copyOn: 'Copy the address on {network}',
  copied: 'Copied',
  holdings: 'Still in the old wallet',
  holdingsNone: 'No coins on these networks',
  holdingsHint:
    'Lists only the coins that pay fees. Check tokens, NFTs and positions in apps yourself.',
  unread: '{network}: could not be read',
  moved:
    'This account was moved to another wallet, {address}, and this browser does not hold that wallet yet. If you did not move it, send nothing to that address.',
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
    'A new wallet was created in another of your browsers. Continue there, or bring it here with its kit. If it was not you, remove the devices that you do not know, and delete that wallet.',
  elsewhereOld: 'Your old wallet is still there, but this browser does not hold it.',
  dropOld: 'Delete the old wallet',
  dropNew: 'Delete the new wallet',
  dropHint:
    'Deletes it from the server, immediately and permanently. Without its recovery phrase, everything in it is lost.',
  dropNewHint:
    'Deletes it from the server. Your account has not moved to it, so no site has its addresses. Other devices that hold it must be removed first.',
  dropLater:
    'This browser does not hold it. If you ask to delete it here, you can delete it a day later, unless someone uses it before then.',
  dropAt: 'You asked to delete it. You can do so after {when}: choose it again then.',
  dropPasskey:
    'Your passkey recovers only the old wallet, so afterwards it confirms nothing: codes are enough again. First add a passkey to the new wallet, under Recovery.',
  dropConfirm: 'Type “delete this wallet” to continue',
  dropPhrase: 'delete this wallet',
  dropAction: 'Delete it',
  chooseExport: 'Which recovery phrase do you want to see?',
} as const
