import { decodeBase58, type Namespace } from '@latchkey/wire'
import { getAddress, recoverMessageAddress, recoverTypedDataAddress } from 'viem/utils'

export type Verdict = {
  /**
   * The address that made the signature; undefined if no key made it, as for a contract account.
   */
  signer: string | undefined
  isValid: boolean
}

const isHex = (value: string): value is `0x${string}` => /^0x[0-9a-f]*$/i.test(value)

const judge = async (address: string, recover: () => Promise<string>): Promise<Verdict> => {
  const signer = await recover().catch(() => undefined)
  return { signer, isValid: signer !== undefined && signer === getAddress(address) }
}

type SignedMessage = { address: string; message: string; signature: string }

const verifiers: Partial<Record<Namespace, (signed: SignedMessage) => Promise<Verdict>>> = {
  solana: verifyEd25519,
  polkadot: verifySubstrate,
  bip122: verifyBitcoin,
}

/** Verifies the signature of a message offline, by the rules of the account's namespace. */
export const verifyMessage = ({
  namespace,
  ...signed
}: SignedMessage & { namespace: Namespace }): Promise<Verdict> =>
  (verifiers[namespace] ?? verifyPersonalMessage)(signed)

/**
 * Ed25519 over the message's UTF-8 bytes, using Web Crypto; the signature is in base58, as on
 * Solana.
 */
async function verifyEd25519({ address, message, signature }: SignedMessage): Promise<Verdict> {
  const isValid = await (async () => {
    const [key, signed] = [decodeBase58(address), decodeBase58(signature)]
    if (!key || !signed) return false
    const publicKey = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify'])
    return crypto.subtle.verify('Ed25519', publicKey, signed, new TextEncoder().encode(message))
  })().catch(() => false)
  return { signer: isValid ? address : undefined, isValid }
}

/** Polkadot wallets sign the message between `<Bytes>` and `</Bytes>`. */
async function verifySubstrate(signed: SignedMessage): Promise<Verdict> {
  const { verifyPolkadotMessage } = await import('@latchkey/core/polkadot')
  const isValid = await verifyPolkadotMessage(signed)
  return { signer: isValid ? signed.address : undefined, isValid }
}

/**
 * ECDSA (BIP-137) or BIP-322, in base64 or hex. Addresses of the local chain differ from testnet
 * addresses only in their prefix.
 */
async function verifyBitcoin(signed: SignedMessage): Promise<Verdict> {
  const { verifyBitcoinMessage } = await import('@latchkey/wire/bitcoin')
  const networks = ['mainnet', 'testnet', 'regtest'] as const
  const isValid = networks.some((network) => verifyBitcoinMessage({ ...signed, network }))
  return { signer: isValid ? signed.address : undefined, isValid }
}

/** `personal_sign` (EIP-191). */
const verifyPersonalMessage = (parameters: SignedMessage): Promise<Verdict> =>
  judge(parameters.address, async () => {
    const { message, signature } = parameters
    if (!isHex(signature)) throw new Error('No hexadecimal signature')
    return recoverMessageAddress({ message, signature })
  })

/** Verifies a signature of typed data (EIP-712) offline. */
export const verifyTypedData = (parameters: {
  address: string
  typedData: Record<string, unknown>
  signature: string
}): Promise<Verdict> =>
  judge(parameters.address, async () => {
    const { typedData, signature } = parameters
    if (!isHex(signature)) throw new Error('No hexadecimal signature')
    type TypedData = Parameters<typeof recoverTypedDataAddress>[0]
    return recoverTypedDataAddress({ ...typedData, signature } as TypedData)
  })
