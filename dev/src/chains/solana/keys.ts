import { createHash, createHmac, createPrivateKey, createPublicKey, pbkdf2Sync } from 'node:crypto'
import { encodeBase58 } from '@latchkey/wire'
import { mnemonic } from '../accounts.ts'

/**
 * An account of the local Solana chain with its (public) private key: the 32 bytes of an Ed25519
 * seed, as hex.
 */
export type SolanaAccount = { readonly address: string; readonly privateKey: string }

const accountCount = 10

/**
 * Accounts 0 to 9 of the development mnemonic (SLIP-10, `m/44'/501'/i'/0'`), each with 1,000 SOL.
 */
export function deriveSolanaAccounts(): SolanaAccount[] {
  const seed = pbkdf2Sync(mnemonic, 'mnemonic', 2_048, 64, 'sha512')
  return Array.from({ length: accountCount }, (_, index) =>
    toAccount(deriveKey(seed, [44, 501, index, 0])),
  )
}

/**
 * Derives a key from a name, so that mints, the faucet and the payer of the seeding have the same
 * address on every chain.
 */
export const nameAccount = (name: string): SolanaAccount =>
  toAccount(createHash('sha256').update(`Latchkey Solana: ${name}`).digest())

// SLIP-10 for Ed25519, where every step is hardened.
function deriveKey(seed: Buffer, path: readonly number[]) {
  const mac = (key: string | Buffer, data: Buffer) =>
    createHmac('sha512', key).update(data).digest()
  let node = mac('ed25519 seed', seed)
  for (const index of path) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(index + 0x8000_0000)
    node = mac(node.subarray(32), Buffer.concat([Buffer.from([0]), node.subarray(0, 32), number]))
  }
  return node.subarray(0, 32)
}

// The PKCS #8 prefix of the 32 bytes of an Ed25519 key (RFC 8410).
const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex')

function toAccount(seed: Buffer): SolanaAccount {
  const der = Buffer.concat([pkcs8Start, seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const address = encodeBase58(spki.subarray(-32))
  return { address, privateKey: seed.toString('hex') }
}
