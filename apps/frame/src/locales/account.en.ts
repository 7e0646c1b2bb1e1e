/**
 * Labels of recovery, settings and devices; they load with these screens. `{name}` is filled in.
 */
export const account = {
  recover: {
    title: 'Get your wallet back',
    lead: 'This browser does not hold your wallet yet. Choose how to bring it here.',
    noneLead:
      'Only the browser that made your wallet can bring it here, because the wallet has no backup. In that browser, which may be this one, open {site} and your wallet’s settings there, then Devices, and approve. If the browser no longer has the wallet, it is lost: no one can open it.',
    noneSite: 'the site where you made it',
    passkey: 'Use your passkey',
    passkeyText: 'Your passkey opens your wallet in this browser.',
    kit: 'Use your printed kit',
    kitLabel: 'The seven groups of your kit',
    kitAction: 'Open with the kit',
    device: 'Approve on a device you already use',
    deviceWaiting:
      'On the other device, open your wallet’s settings, then Devices. A request from this device appears there.',
    words: 'The other device must show the same three words',
    wordsHint:
      'If it shows different words or none, someone may be intercepting. Refuse there too.',
    wordsSame:
      'Confirm on the other device too that they are the same. Then your wallet opens here.',
    refused: 'The other device refused. Go back and try again, or choose another way.',
    assisted: 'By email (less private)',
    assistedHint:
      'We email you a second code. If another browser has the wallet, you wait a day, and that browser or the link in the email can stop it.',
    waiting:
      'Your wallet can be opened here after {when}, unless someone stops it with the link in the email or in a browser that has the wallet. You can close this page. Then sign in again in this browser, and choose “By email” again.',
    opening: 'Opening your wallet',
    stay: 'Stay with the old wallet in this browser',
    older: 'Bring your old wallet instead',
    olderLead:
      'Choose a way to bring back the wallet that your account used before. The new wallet does not change.',
    olderKitLabel: 'The seven groups of the old wallet’s kit',
    movedLead:
      'This browser holds your account’s old wallet. Bring the new wallet here, or stay with the old one.',
  },
  settings: {
    title: 'Your picture and data',
    smartAccount: 'Smart account',
    signedInAs: 'Signed in as',
    picture: 'Your picture',
    pictureHint: 'Shows that a request is from your wallet',
    replaceWallet: 'Replace this wallet',
    signOutEverywhere: 'Sign out everywhere',
    forget: 'Forget this browser',
    forgetHint: 'Deletes this browser’s part of the key. To come back, you need a recovery method.',
    forgetLoses:
      'Your wallet has no recovery method. Unless another device has it, it is lost with this browser, and everything in it.',
    remove: 'Delete my data',
    removeBoth: 'Both your wallets, immediately and permanently',
    removeHint:
      'Deletes everything that the server stores about your wallet, immediately and permanently. Without the recovery phrase, everything in the wallet is lost.',
    removeConfirm: 'Type “delete my wallet” to continue',
    removePhrase: 'delete my wallet',
    sure: 'Confirm',
  },
  devices: {
    title: 'Devices',
    this: 'This browser',
    used: 'Last used {when}',
    rename: 'Rename',
    name: 'Name of the device',
    save: 'Save',
    revoke: 'Remove',
    revokeSure: 'Remove it? It can no longer sign.',
    empty: 'No other browser holds your wallet.',
    asks: 'A new device requests your wallet',
    asksHint: 'Continue only if it is yours and in front of you.',
    compare: 'Compare words',
    same: 'The words are the same',
    different: 'They differ, refuse',
  },
  waiting: {
    title: 'Someone is trying to open your wallet',
    opens:
      'A code from your email was used in another browser. Your wallet can be opened there after {when}, unless you stop it.',
    hint: 'If this is not you, stop it and change your email address: someone can read your mail.',
    stop: 'Stop it',
    stopped: 'Stopped. Your wallet stays closed there, and new requests are refused for a week.',
    lead: 'This browser holds the wallet, so it can stop the request, even while you are signed out.',
    later: 'This is me',
  },
  recovery: {
    title: 'Recovery',
    lead: 'Each of these methods brings your wallet back.',
    none: 'Nothing brings your wallet back yet. If you lose this device without a recovery method, you lose the wallet.',
    passkey: 'Passkey',
    kit: 'Printed kit',
    passkeyAll: 'Also signs you in and confirms changes',
    added: 'Added {when}',
    passkeyOld: 'Recovery only. Add it again to also sign in and confirm with it.',
    operator: 'By email (less private)',
    operatorNote: 'While this is on, the operator of this server could sign for you.',
    remove: 'Remove',
    removeOperator: 'Remove the operator’s help',
    newKit:
      'This makes a new key. Your other recovery methods stop working, and this kit replaces them. You can then add a passkey again.',
    add: 'Add a recovery method',
    addPasskey: 'Add a passkey',
    addKit: 'Add a printed kit',
    usesOld:
      'This browser uses your old wallet, and its recovery methods do not change. To change the recovery methods of the new wallet, use that wallet here first.',
    copies: 'Removing a recovery method does not undo copies of the key that someone has made.',
    last: 'You cannot remove the last recovery method: without one, the wallet could be lost.',
  },
} as const
