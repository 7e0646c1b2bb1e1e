/** Labels of messages and typed data to sign; they load with them. `{name}` is filled in. */
export const signatures = {
  message: 'Message',
  signedData: 'Data to sign, as worded by the page',
  long: '{count} bytes, hash {hash}',
  number: '{number} (a number, signed in place of a text)',
  part: 'part {at} of {of}',
  titleMessage: 'Sign this message?',
  titleSignIn: 'Sign in?',
  titleConnect: 'Connect to this site?',
  actionConnect: 'connect',
  titleTyped: 'Sign this data?',
  warn: {
    hash: 'These 32 bytes may be the fingerprint of anything, including a payment.',
    transactionBlob: 'These bytes look like a transaction.',
    notText: 'This is not text. You cannot know what you are signing.',
    hidden: 'It contains characters that cannot be seen. They are written out.',
    rights: 'It gives the site rights beyond signing in. They are listed at the end.',
    signInPlace: 'This sign-in is for {place}, but the request comes from {origin}.',
    signInChain: 'This sign-in is for another network ({id}) than the current network ({chain}).',
    unread:
      'This data could not be read. A signature is enough to move assets, so it could take anything that you own.',
    witness:
      'It carries more data for the contract that takes the tokens. Latchkey cannot read that data.',
    otherDomain:
      'Its domain does not follow EIP-712, so Latchkey cannot tell which contracts accept the signature.',
    anyChain: 'It names no network, so it is valid on all of them.',
  },
  block: {
    signInDomain:
      'This signs in to {domain}, but {origin} requests it. Accounts are stolen this way.',
    signInAddress: 'This sign-in is for another account.',
    signInChecksum:
      'The address in this sign-in has a wrong checksum: upper-case and lower-case letters are mixed up.',
    signInForm: 'This looks like a sign-in, but its format is not valid.',
    chain: 'This is for another network ({id}) than the current network.',
    solanaTransaction: 'This message is a transaction in disguise.',
  },
} as const
