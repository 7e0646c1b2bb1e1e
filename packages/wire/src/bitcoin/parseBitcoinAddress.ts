import { Address, OutScript } from '@scure/btc-signer'

/** Bitcoin's networks, as far as addresses differ. Testnet's are those of every public test network. */
export type BitcoinNetwork = 'mainnet' | 'testnet' | 'regtest'

/** The kinds of output that an address can stand for. */
export type BitcoinAddressType = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr'

/** What an address says: its kind and the output script that pays it. */
export type BitcoinAddress = { type: BitcoinAddressType; script: Uint8Array }

/** The prefixes of each network's addresses and keys. */
const prefixes = {
  mainnet: { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 },
  testnet: { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
  regtest: { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
} as const

const types = {
  pkh: 'p2pkh',
  sh: 'p2sh',
  wpkh: 'p2wpkh',
  wsh: 'p2wsh',
  tr: 'p2tr',
} as const

const maxLength = 90

/** Reads an address with its checksum (base58check, bech32, bech32m); undefined for another network's and for any other text. */
export function parseBitcoinAddress(
  address: string,
  network: BitcoinNetwork,
): BitcoinAddress | undefined {
  if (address.length > maxLength) return undefined
  try {
    const decoded = Address(prefixes[network]).decode(address)
    const type = types[decoded.type as keyof typeof types]
    return type && { type, script: OutScript.encode(decoded) }
  } catch {
    return undefined
  }
}

/** The address that an output script stands for; undefined for a script that has none. */
export function formatBitcoinScript(
  script: Uint8Array,
  network: BitcoinNetwork,
): string | undefined {
  try {
    const address = Address(prefixes[network]).encode(OutScript.decode(script))
    return parseBitcoinAddress(address, network) && address
  } catch {
    return undefined
  }
}
