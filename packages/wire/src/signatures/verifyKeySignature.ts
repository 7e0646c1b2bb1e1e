import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { verify as verifySr25519 } from '@scure/sr25519'
import { getBitcoinNetwork } from '../bitcoin/getBitcoinNetwork.ts'
import { verifyBitcoinMessage } from '../bitcoin/verifyBitcoinMessage.ts'
import type { ChainId, Namespace } from '../caip/caip.ts'
import { parseChainId } from '../caip/parseCaip.ts'
import { decodeBase58 } from '../encoding/base58.ts'
import { bytesToHex } from '../encoding/bytesToHex.ts'
import { decodeSs58Address } from '../polkadot/ss58.ts'
import { wrapMessage } from '../polkadot/wrapMessage.ts'
import { listOffchainMessages } from '../solana/offchainMessages.ts'

/**
 * A message with an account's alleged signature. The signature has the encoding that wallets
 * return: hex for EVM chains and Polkadot, base58 for Solana, base64 or hex for Bitcoin.
 */
export type SignedText = {
  readonly chainId: ChainId
  readonly address: string
  readonly message: string
  readonly signature: string
}

/**
 * A signed message as bytes, or as a string that stands for its UTF-8 bytes. Bitcoin and Polkadot
 * sign strings only.
 */
export type SignedMessage = Omit<SignedText, 'message'> & { readonly message: string | Uint8Array }

/**
 * The public key of secp256k1 (65 bytes) that has signed a hash (32 bytes): `signature` is r and s
 * (64 bytes), `recovery` 0 or 1. Throws or returns null if no key can be recovered.
 */
export type RecoverKey = (
  hash: Uint8Array,
  signature: Uint8Array,
  recovery: 0 | 1,
) => Uint8Array | null

/**
 * Whether the account's own key has signed. Verifies EIP-191, Solana's ed25519 (over the message,
 * or over the off-chain message that a Ledger signs), BIP-137 and BIP-322, and Polkadot's sr25519,
 * ed25519 and ecdsa. Makes no requests, so signatures of contracts do not verify. False for
 * malformed input. `recover` replaces the key recovery for EVM chains, for example by a faster
 * native function.
 */
export function verifyKeySignature(
  signed: SignedMessage,
  recover: RecoverKey = recoverKey,
): boolean {
  try {
    return verifiers[parseChainId(signed.chainId).namespace](signed, recover)
  } catch {
    // Invalid points and numbers.
    return false
  }
}

const recoverKey: RecoverKey = (hash, signature, recovery) =>
  secp256k1.Signature.fromBytes(signature, 'compact')
    .addRecoveryBit(recovery)
    .recoverPublicKey(hash)
    .toBytes(false)

type Verifier = (signed: SignedMessage, recover: RecoverKey) => boolean

const verifiers: Readonly<Record<Namespace, Verifier>> = {
  eip155({ address, message, signature }, recover) {
    if (!/^0x[0-9a-f]{130}$/i.test(signature)) return false
    const bytes = hexToBytes(signature.slice(2))
    const last = bytes[64] ?? 0
    const recovery = last < 27 ? last : last - 27
    if (recovery !== 0 && recovery !== 1) return false
    const text = toBytes(message)
    const hash = keccak_256(
      concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${text.length}`), text),
    )
    const key = recover(hash, bytes.subarray(0, 64), recovery)
    if (key === null) return false
    const signer = keccak_256(key.subarray(1)).subarray(-20)
    return `0x${bytesToHex(signer)}` === address.toLowerCase()
  },
  solana({ address, message, signature }) {
    const key = decodeBase58(address)
    const bytes = decodeBase58(signature)
    if (!key || !bytes || key.length !== 32) return false
    const text = toBytes(message)
    return [text, ...listOffchainMessages(text, key)].some((one) => verifyEd25519(bytes, one, key))
  },
  bip122: ({ chainId, message, ...signed }) =>
    typeof message === 'string' &&
    verifyBitcoinMessage({ ...signed, message, network: getBitcoinNetwork(chainId) }),
  polkadot({ address, message, signature }) {
    const key = decodeSs58Address(address)
    if (!key || typeof message !== 'string') return false
    const text = wrapMessage(message)
    // Some wallets put the byte of the key type before the signature.
    const [, hex] = /^(?:0x)?(?:0[01])?((?:[0-9a-f]{2}){64})$/i.exec(signature) ?? []
    if (hex !== undefined) {
      const bytes = hexToBytes(hex)
      return verifySchnorrkel(bytes, text, key) || verifyEd25519(bytes, text, key)
    }
    const [, recoverable] = /^(?:0x)?(?:02)?((?:[0-9a-f]{2}){65})$/i.exec(signature) ?? []
    return recoverable !== undefined && verifyHashedKey(hexToBytes(recoverable), text, key)
  },
}

/** Strict RFC 8032: refuses keys of small order, for which anyone can sign. */
const verifyEd25519 = (signature: Uint8Array, message: Uint8Array, key: Uint8Array) =>
  signature.length === 64 &&
  key.length === 32 &&
  ed25519.verify(signature, message, key, { zip215: false })

function verifySchnorrkel(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    return key.some((byte) => byte !== 0) && verifySr25519(message, signature, key)
  } catch {
    // The key may be an ed25519 key.
    return false
  }
}

/**
 * ecdsa of Polkadot, 64 bytes and the recovery bit: the account is the hash of the compressed key.
 */
function verifyHashedKey(signature: Uint8Array, message: Uint8Array, account: Uint8Array): boolean {
  const key = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact')
    .addRecoveryBit(signature[64] ?? 0)
    .recoverPublicKey(blake2b(message, { dkLen: 32 }))
    .toBytes(true)
  return bytesToHex(blake2b(key, { dkLen: 32 })) === bytesToHex(account)
}

const toBytes = (message: string | Uint8Array) =>
  typeof message === 'string' ? utf8ToBytes(message) : message
