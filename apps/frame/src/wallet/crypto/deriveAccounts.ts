import { bytesToHex, checksumAddress, type WalletAddresses } from '@latchkey/wire'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import { entropyToMnemonic, mnemonicToSeedWebcrypto } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { type Bytes, toBytes, wipe } from './bytes.ts'
import { deriveEd25519, deriveSecp256k1 } from './slip10.ts'

/** BIP-44 and SLIP-0010 paths of the first account, as other wallets use them. */
const paths = { eip155: "m/44'/60'/0'/0/0", solana: [44, 501, 0, 0] } as const

/** Private keys of a wallet. The holder must wipe them. */
export type DerivedKeys = { readonly eip155: Bytes; readonly solana: Bytes }

/** The phrase of 24 words (BIP-39, English) of 32 bytes of entropy. */
export const toPhrase = (seed: Bytes): string => entropyToMnemonic(seed, wordlist)

/**
 * Both private keys and their addresses, from 32 bytes of entropy by its phrase (no passphrase).
 */
export async function deriveAccounts(
  seed: Bytes,
): Promise<{ keys: DerivedKeys; addresses: WalletAddresses }> {
  const master = toBytes(await mnemonicToSeedWebcrypto(toPhrase(seed)))
  const keys = {
    eip155: deriveSecp256k1(master, paths.eip155),
    solana: deriveEd25519(master, paths.solana),
  }
  wipe(master)
  const addresses = {
    eip155: evmAddress(secp256k1.getPublicKey(keys.eip155, false)),
    solana: base58.encode(ed25519.getPublicKey(keys.solana)),
  }
  return { keys, addresses }
}

/** EIP-55 address of an uncompressed public key. */
export function evmAddress(publicKey: Uint8Array): string {
  return checksumAddress(`0x${bytesToHex(keccak_256(publicKey.subarray(1)).subarray(-20))}`)
}
