import { pbkdf2Sync } from 'node:crypto'
import { p2tr, p2wpkh } from '@scure/btc-signer'
import { HDKey } from 'viem/accounts'
import { mnemonic } from '../accounts.ts'
import { regtest } from './definition.ts'

/** A key of the development mnemonic with the address that it controls. Keys are hex and public. */
export type BitcoinKey = { address: string; publicKey: string; privateKey: string }

/** An account of a Bitcoin wallet: one address for payments, one for ordinals. */
export type BitcoinAccount = { payment: BitcoinKey; ordinals: BitcoinKey }

const accountCount = 10

/**
 * Accounts 0 to 9 of the development mnemonic: BIP-84 (`m/84'/1'/0'/0/i`) and BIP-86
 * (`m/86'/1'/0'/0/i`).
 */
export function deriveBitcoinAccounts(): BitcoinAccount[] {
  const root = getRoot()
  return Array.from({ length: accountCount }, (_, index) => ({
    payment: derivePayment(root, index),
    ordinals: toKey(root.derive(`m/86'/1'/0'/0/${index}`), (publicKey) =>
      p2tr(publicKey.slice(1), undefined, regtest),
    ),
  }))
}

const faucetIndex = 1_000

/** The account that mines every block and pays the faucet's coins. */
export const deriveFaucet = (): BitcoinKey => derivePayment(getRoot(), faucetIndex)

// BIP-39's seed of the mnemonic without a passphrase.
const getRoot = () => HDKey.fromMasterSeed(pbkdf2Sync(mnemonic, 'mnemonic', 2_048, 64, 'sha512'))

const derivePayment = (root: HDKey, index: number) =>
  toKey(root.derive(`m/84'/1'/0'/0/${index}`), (publicKey) => p2wpkh(publicKey, regtest))

function toKey(
  { publicKey, privateKey }: HDKey,
  pay: (publicKey: Uint8Array) => { address?: string | undefined },
): BitcoinKey {
  if (!publicKey || !privateKey) throw new Error('A derived account has no key')
  const { address } = pay(publicKey)
  if (!address) throw new Error('A derived account has no address')
  return { address, publicKey: toHex(publicKey), privateKey: toHex(privateKey) }
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
