import { enShared } from '../enShared.ts'

/** English messages of the review of a signature on a device. */
export const enReviewSignature = {
  ...enShared,
  'sign.takes': '{amount} leaves your account',
  'sign.takesBoth': '{token} and {native} leave your account',
  'sign.asksTo': 'Asks the contract to {name}',
  'sign.signsType': 'You sign {type}',
  'sign.signsMessage': 'You sign a message',
  'sign.signsBytes': 'You sign raw bytes',
  'sign.receiver': 'To',
  'sign.contract': 'To the contract',
  'sign.newContract': 'A new contract',
  'sign.function': 'Asks it to {name}',
  'sign.data': 'Data',
  'sign.message': 'Message',
  'sign.bytes': 'Raw bytes',
  'sign.domain': 'For',
  'sign.hashes': 'Hashes, for devices that cannot show the fields',
  'sign.domainHash': 'Domain hash',
  'sign.messageHash': 'Message hash',
  'sign.account': 'Account',
  'sign.maxFee': 'Network fee, up to',
  'sign.warnings': 'Warnings',
  'sign.unlimited':
    'This lets another account take as much as it wants, at any time, until you revoke it.',
  'sign.rights': 'This changes what another account may take from yours, at any time.',
  'sign.untyped':
    'This page cannot tell what this data allows. A signature can be enough to take your assets. Sign it only if you trust the app.',
  'sign.unread':
    'This page cannot read the call to the contract. Sign it only if you trust the app.',
  'sign.creates': 'This creates a contract. This page cannot read what it does.',
  'sign.nonce':
    'The app chose {asked} as the number (nonce) of this transaction, and your next is {next}. It may replace one of your pending transactions, or wait itself.',
  'sign.accessList': 'Contracts and slots it reads (access list)',
  'sign.note': 'Compare it with what the device shows, and confirm it there.',
  'sign.onDevice': 'Approve or reject on the device.',
  'sign.refuse': 'Refuse',
  'sign.continue': 'Sign on device',
  'sign.anyway': 'Sign anyway',
} as const
