import { openTransportReplayer, RecordStore } from '@ledgerhq/hw-transport-mocker'
import {
  bytesToHex,
  concatHex,
  type Hex,
  hexToBytes,
  numberToHex,
  parseSignature,
  size,
  stringToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** The key that the device holds at `livePath(0)`. */
const key = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
)
export const device = key
export const livePath = (index: number) => `44'/60'/${index}'/0/0`
export const bipPath = (index: number) => `44'/60'/0'/0/${index}`

/** A command and its response, from the documents of Ledger's Ethereum app and of BOLOS. */
export type Exchange = readonly [command: Hex, answer: Hex]

const ok = '0x9000'
export const status = {
  locked: '0x5515',
  otherApp: '0x6e00',
  noApp: '0x650f',
  refused: '0x6985',
  unknown: '0x6d00',
  blindSigningOff: '0x6a80',
} as const

const command = (head: Hex, data: Hex = '0x'): Hex =>
  concatHex([head, numberToHex(size(data), { size: 1 }), data])
const text = (value: string): Hex =>
  concatHex([numberToHex(value.length, { size: 1 }), stringToHex(value)])

/**
 * A derivation path in the app's format: the number of steps, then four bytes for each, hardened
 * steps with the first bit set.
 */
const toPath = (path: string): Hex => {
  const steps = path
    .split('/')
    .map((step) => Number.parseInt(step, 10) + (step.endsWith("'") ? 0x8000_0000 : 0))
  return concatHex([
    numberToHex(steps.length, { size: 1 }),
    ...steps.map((step) => numberToHex(step, { size: 4 })),
  ])
}

/** GET ETH PUBLIC ADDRESS, without showing it. */
export const addressOf = (path: string, address: string = key.address): Exchange => [
  command('0xe0020000', toPath(path)),
  concatHex([`0x41${key.publicKey.slice(2)}`, text(address.slice(2)), ok]),
]

/** An error in place of the answer of the same command. */
export const failing = ([asked]: Exchange, answer: Hex): Exchange => [asked, answer]

const signatureAnswer = (signature: Hex, first: number): Hex => {
  const { r, s } = parseSignature(signature)
  return concatHex([numberToHex(first, { size: 1 }), r, s, ok])
}
const recoveryId = (signature: Hex) => 27 + parseSignature(signature).yParity

/** SIGN ETH PERSONAL MESSAGE, in pieces of 150 bytes with the head of the first. */
export async function messageSigned(path: string, raw: Hex): Promise<Exchange[]> {
  const signature = await key.signMessage({ message: { raw } })
  const head = concatHex([toPath(path), numberToHex(size(raw), { size: 4 })])
  const whole = hexToBytes(concatHex([head, raw]))
  const pieces = Array.from({ length: Math.ceil(whole.length / 150) }, (_, at) =>
    bytesToHex(whole.subarray(at * 150, (at + 1) * 150)),
  )
  return pieces.map((piece, at) => [
    command(at === 0 ? '0xe0080000' : '0xe0088000', piece),
    at === pieces.length - 1 ? signatureAnswer(signature, recoveryId(signature)) : ok,
  ])
}

/**
 * SIGN ETH TRANSACTION of one piece. `v` is the parity, or of a legacy transaction the last byte of
 * EIP-155's number.
 */
export async function transactionSigned(
  path: string,
  unsigned: Hex,
  { r, s, v }: { r: Hex; s: Hex; v: number },
): Promise<Exchange[]> {
  const answer = concatHex([numberToHex(v % 256, { size: 1 }), r, s, ok])
  return [[command('0xe0040000', concatHex([toPath(path), unsigned])), answer]]
}

export const mail = {
  domain: { name: 'Mail', chainId: 31337n },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Mail: [
      { name: 'to', type: 'address' },
      { name: 'contents', type: 'string' },
      { name: 'marks', type: 'uint8[]' },
    ],
  },
  primaryType: 'Mail',
  message: {
    to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    contents: 'Hello\u202e!',
    marks: [7, 9],
  },
} as const

/** `mail` in the form that a page sends. */
export const mailJson = { ...mail, domain: { ...mail.domain, chainId: 31337 } }

const struct = (name: string): Exchange => [command('0xe01a0000', stringToHex(name)), ok]
const field = (description: Hex, name: string): Exchange => [
  command('0xe01a00ff', concatHex([description, text(name)])),
  ok,
]
const root = (name: string): Exchange => [command('0xe01c0000', stringToHex(name)), ok]
const array = (count: number): Exchange => [
  command('0xe01c000f', numberToHex(count, { size: 1 })),
  ok,
]
const value = (data: Hex): Exchange => [
  command('0xe01c00ff', concatHex([numberToHex(size(data), { size: 2 }), data])),
  ok,
]
/** GET APP AND VERSION of the device's system. */
const version: Exchange = [
  command('0xb0010000'),
  concatHex(['0x01', text('Ethereum'), text('1.12.0'), '0x0102', ok]),
]

/** EIP-712 STRUCT DEFINITION and IMPLEMENTATION for `mail`, then SIGN ETH EIP 712 in full. */
export async function typedDataSigned(path: string): Promise<Exchange[]> {
  const signature = await key.signTypedData(mail)
  return [
    version,
    struct('EIP712Domain'),
    ...[field('0x05', 'name'), field('0x4220', 'chainId')],
    struct('Mail'),
    ...[field('0x03', 'to'), field('0x05', 'contents'), field('0xc2010100', 'marks')],
    ...[root('EIP712Domain'), value(stringToHex('Mail')), value('0x7a69')],
    ...[root('Mail'), value(mail.message.to.toLowerCase() as Hex)],
    value(stringToHex(mail.message.contents)),
    ...[array(2), value('0x07'), value('0x09')],
    [command('0xe00c0001', toPath(path)), signatureAnswer(signature, recoveryId(signature))],
  ]
}

/** Signs the same typed data with an older app, which only supports the two hashes. */
export async function hashesSigned(
  path: string,
  { domainHash, messageHash }: { domainHash: Hex; messageHash: Hex },
): Promise<Exchange[]> {
  const signature = await key.signTypedData(mail)
  const asked = command('0xe00c0000', concatHex([toPath(path), domainHash, messageHash]))
  return [
    version,
    failing(struct('EIP712Domain'), status.unknown),
    [asked, signatureAnswer(signature, recoveryId(signature))],
  ]
}

const toLine = ([asked, answer]: Exchange) => `=> ${asked.slice(2)}\n<= ${answer.slice(2)}\n`

/**
 * A device that replays exchanges, each once and in order; `left` has the remaining ones. Any other
 * command fails.
 */
export function createReplay(...exchanges: readonly Exchange[]) {
  const store = RecordStore.fromString(exchanges.map(toLine).join(''))
  return {
    store,
    openTransport: () => openTransportReplayer(store),
    left: () => store.toString().trim(),
    add: (...more: readonly Exchange[]) =>
      store.queue.push(...RecordStore.fromString(more.map(toLine).join('')).queue),
  }
}
