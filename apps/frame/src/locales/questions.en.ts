/**
 * Questions of a popup about settings and devices. `{name}` is filled in, and an
 * action follows “Hold to”.
 */
export const questions = {
  device: 'Device',
  words: 'Words',
  /** A new device asks for the wallet. */
  letIn: {
    title: 'Does the new device show the same words?',
    action: 'let it in',
    group: 'Device that gets your wallet',
    what: 'It can then use your wallet as this browser does. Approve only if it is yours, in front of you, and shows these words.',
  },
  /** This one is the new device. */
  accept: {
    title: 'Does the other device show the same words?',
    action: 'use this wallet',
    group: 'Wallet for this browser',
    what: 'If the words differ, this may be another wallet. Approve only if your other device shows these words.',
  },
  revoke: {
    title: 'Remove this device?',
    action: 'remove it',
    group: 'Device that loses your wallet',
    what: 'It can no longer use your wallet.',
  },
  signIn: 'Sign-in at',
  name: 'Name',
  email: 'Email address',
  link: {
    title: 'Add a sign-in to your account?',
    action: 'add it',
    group: 'Signs in to your account',
    what: 'Anyone who can use the sign-in that you choose next can then sign in to your account, and confirm changes to it.',
  },
  unlink: {
    title: 'Remove this sign-in?',
    action: 'remove it',
    group: 'No longer signs in to your account',
    what: 'You can then sign in and confirm changes only with the remaining sign-ins and your passkeys.',
  },
  unlinkEmail: {
    title: 'Remove this email address?',
    action: 'remove it',
    group: 'No longer signs in to your account',
    what: 'You can then sign in and confirm changes only with the remaining sign-ins and your passkeys, and no email can warn you.',
  },
  way: 'Recovery method',
  added: 'Added',
  removeWay: {
    title: 'Remove this recovery method?',
    action: 'remove it',
    group: 'No longer recovers your wallet',
    what: 'If you lose your remaining recovery methods, you could lose the wallet.',
  },
  change: 'From now on',
  turnOn: {
    title: 'Use the smart account?',
    action: 'use it',
    group: 'How your account sends',
    change: 'Several steps at once, with sponsored fees',
    what: 'Before it first does so on a network, an approval shows what changes for your address there.',
  },
  stopUsing: {
    title: 'Pause the smart account?',
    action: 'stop',
    group: 'How your account sends',
    change: 'One step at a time, and you pay each fee',
    what: 'If it is on for your address on a network, it stays on until you turn it off on that network.',
  },
  network: 'Network',
  turnOff: {
    title: 'Turn the smart account off?',
    action: 'turn it off',
    group: 'Your address stops delegating on',
    what: 'Your account sends a transaction for this, and pays its fee. If it cannot pay, the operator may send it.',
  },
  browser: 'This browser',
  forget: {
    title: 'Forget this browser?',
    action: 'forget it',
    group: 'Deleted',
    part: 'Its part of the key, and everything else it stores about your account',
    what: 'You need a recovery method to use your wallet here again. Without a recovery method, and without another browser that holds it, your wallet is lost.',
  },
  useOld: {
    title: 'Use your old wallet in this browser?',
    action: 'use it',
    group: 'Used here, and shown to sites',
    what: 'Others may have its key. Make sure that no one sends anything to its address.',
  },
  useNew: {
    title: 'Use your new wallet in this browser?',
    action: 'use it',
    group: 'Used here, and shown to sites',
    what: 'Only this browser changes.',
  },
} as const
