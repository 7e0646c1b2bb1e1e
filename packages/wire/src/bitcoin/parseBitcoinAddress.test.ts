import { expect, test } from 'vitest'
import { type BitcoinNetwork, parseBitcoinAddress } from './parseBitcoinAddress.ts'

const toHex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')

// BIP-173, BIP-341, BIP-350 and the wiki's examples of base58check.
test.each([
  [
    'mainnet',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'p2wpkh',
    '0014751e76e8199196d454941c45d1b3a323f1433bd6',
  ],
  [
    'testnet',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    'p2wsh',
    '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
  ],
  [
    'mainnet',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    'p2tr',
    '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  ],
  [
    'mainnet',
    '1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs',
    'p2pkh',
    '76a914f54a5851e9372b87810a8e60cdd2e7cfd80b6e3188ac',
  ],
  [
    'mainnet',
    '3P14159f73E4gFr7JterCCQh9QjiTjiZrG',
    'p2sh',
    'a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87',
  ],
  [
    'regtest',
    'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    'p2wpkh',
    '0014751e76e8199196d454941c45d1b3a323f1433bd6',
  ],
] as const)('default: %s %s', (network, address, type, script) => {
  const parsed = parseBitcoinAddress(address, network)
  expect(parsed?.type).toBe(type)
  expect(toHex(parsed?.script)).toBe(script)
  for (const other of ['mainnet', 'testnet', 'regtest'] as const)
    if (other !== network) expect(parseBitcoinAddress(address, other)).toBeUndefined()
})

test.each([
  ['a wrong checksum', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
  ['bech32m for version 0', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh'],
  ['bech32 for version 1', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
  ['mixed case', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4'],
  ['another program length', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'],
  ['another human-readable part', 'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty'],
  ['a wrong base58 checksum', '1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAt'],
  ['an EVM address', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  ['nothing', ''],
  ['a long text', 'a'.repeat(100_000)],
])('error: %s', (_, address) => {
  const networks: BitcoinNetwork[] = ['mainnet', 'testnet', 'regtest']
  for (const network of networks) expect(parseBitcoinAddress(address, network)).toBeUndefined()
})
