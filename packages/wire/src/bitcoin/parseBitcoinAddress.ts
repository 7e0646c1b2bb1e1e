import { concatBytes } from '@noble/hashes/utils.js'
import { decodeBase58, encodeBase58 } from '../encoding/base58.ts'
import { decodeSegwit, encodeSegwit } from './bech32.ts'
import { equalBytes, hash256 } from './bytes.ts'

/**
 * Bitcoin's networks with different addresses. All public test networks have testnet's addresses.
 */
export type BitcoinNetwork = 'mainnet' | 'testnet' | 'regtest'

/** The kinds of output with an address. */
export type BitcoinAddressType = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr'

/** A parsed address: its kind and the output script that pays it. */
export type BitcoinAddress = { type: BitcoinAddressType; script: Uint8Array }

/** The prefixes of each network's addresses. */
const prefixes = {
  mainnet: { bech32: 'bc', p2pkh: 0x00, p2sh: 0x05 },
  testnet: { bech32: 'tb', p2pkh: 0x6f, p2sh: 0xc4 },
  regtest: { bech32: 'bcrt', p2pkh: 0x6f, p2sh: 0xc4 },
} as const

/** The bytes before and after the hash or key in each kind's script. */
const forms = [
  { type: 'p2pkh', length: 20, start: [0x76, 0xa9, 20], end: [0x88, 0xac] },
  { type: 'p2sh', length: 20, start: [0xa9, 20], end: [0x87] },
  { type: 'p2wpkh', length: 20, start: [0, 20], end: [] },
  { type: 'p2wsh', length: 32, start: [0, 32], end: [] },
  { type: 'p2tr', length: 32, start: [0x51, 32], end: [] },
] as const

const maxLength = 90

/**
 * Reads an address with its checksum (base58check, bech32, bech32m); undefined for another
 * network's address and for any other string.
 */
export function parseBitcoinAddress(
  address: string,
  network: BitcoinNetwork,
): BitcoinAddress | undefined {
  if (address.length > maxLength) return undefined
  const { bech32, p2pkh, p2sh } = prefixes[network]
  const segwit = decodeSegwit(address, bech32)
  if (segwit) {
    const { version, program } = segwit
    const start = version === 0 ? 0 : 0x50 + version
    return build(
      ({ start: [first], length }) => first === start && length === program.length,
      program,
    )
  }
  const payload = decodeBase58Check(address)
  if (payload?.length !== 21) return undefined
  const type = { [p2pkh]: 'p2pkh', [p2sh]: 'p2sh' }[payload[0] ?? -1]
  return build((form) => form.type === type, payload.subarray(1))
}

function build(isForm: (form: (typeof forms)[number]) => boolean, body: Uint8Array) {
  const form = forms.find(isForm)
  if (!form) return undefined
  const { type, start, end } = form
  return { type, script: Uint8Array.of(...start, ...body, ...end) }
}

function decodeBase58Check(text: string): Uint8Array | undefined {
  const bytes = decodeBase58(text)
  if (!bytes || bytes.length < 5) return undefined
  const payload = bytes.subarray(0, -4)
  const isValid = equalBytes(hash256(payload).subarray(0, 4), bytes.subarray(-4))
  return isValid ? payload : undefined
}

/** The address of an output script; undefined for a script without an address. */
export function formatBitcoinScript(
  script: Uint8Array,
  network: BitcoinNetwork,
): string | undefined {
  const form = forms.find(
    ({ length, start, end }) =>
      script.length === start.length + length + end.length &&
      start.every((byte, at) => script[at] === byte) &&
      end.every((byte, at) => script.at(at - end.length) === byte),
  )
  if (!form) return undefined
  const { type, start, length } = form
  const body = script.subarray(start.length, start.length + length)
  const { bech32, ...versions } = prefixes[network]
  if (type === 'p2pkh' || type === 'p2sh') {
    const payload = concatBytes(Uint8Array.of(versions[type]), body)
    return encodeBase58(concatBytes(payload, hash256(payload).subarray(0, 4)))
  }
  return encodeSegwit({ version: type === 'p2tr' ? 1 : 0, program: body }, bech32)
}
