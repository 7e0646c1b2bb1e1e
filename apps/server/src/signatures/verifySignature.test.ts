import { generateKeyPairSync, sign } from 'node:crypto'
import { type Chains, startChains } from '@latchkey/dev'
import { encodeBase58 } from '@latchkey/wire'
import { encodeAddress } from '@latchkey/wire/polkadot'
import type { SignedMessage } from '@latchkey/wire/siwx'
import { mnemonicToAccount } from 'viem/accounts'
import { getContractAddress, serializeErc6492Signature } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { verifySignature } from './verifySignature.ts'

const evm = 'eip155:31337'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const mnemonic = 'test test test test test test test test test test test junk'
const account = mnemonicToAccount(mnemonic)

let chains: Chains
let verify: (signed: SignedMessage) => Promise<boolean>

beforeAll(async () => {
  chains = await startChains({ ports: 'free' })
  const services = makeServices({
    [evm]: chainWith([chains.urls[evm]]),
    'eip155:5': chainWith(['http://127.0.0.1:9']),
  })
  const nodes = { upstreams: createUpstreams(services) }
  verify = async (signed) => verifySignature(nodes, signed)
})
afterAll(() => chains?.stop())

const hexToBase58 = (hex: string) => encodeBase58(Buffer.from(hex, 'hex'))

// RFC 8032, section 7.1: tests 1, 2, 3 and SHA(abc).
test.each([
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
])('default: ed25519 vector %s', async (key, text, signature) => {
  const message = Buffer.from(text, 'hex')
  const signed = { chainId: solana, address: hexToBase58(key), message } as const
  expect(await verify({ ...signed, signature: hexToBase58(signature) })).toBe(true)
  expect(await verify({ ...signed, message: 'other', signature: hexToBase58(signature) })).toBe(
    false,
  )
  const flipped = `${signature.slice(0, -2)}ff`
  expect(await verify({ ...signed, signature: hexToBase58(flipped) })).toBe(false)
})

test('error: a key of small order, for which anyone can sign, and malformed signatures', async () => {
  // The identity as key and as R, with S = 0, is valid for every message.
  const identity = `01${'00'.repeat(31)}`
  const forged = hexToBase58(`${identity}${'00'.repeat(32)}`)
  for (const address of [hexToBase58(identity), '1'.repeat(32), '', 'x', `0x${'1'.repeat(40)}`])
    expect(await verify({ chainId: solana, address, message: 'm', signature: forged })).toBe(false)
  const address = hexToBase58('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
  for (const signature of ['', '0', forged, `${forged}1`])
    expect(await verify({ chainId: solana, address, message: '', signature })).toBe(false)
})

test('default: EIP-191 by the account itself, without a node', async () => {
  const { address } = account
  for (const message of ['', 'Hello Ünicode', 'x'.repeat(5_000)]) {
    const signature = await account.signMessage({ message })
    expect(await verify({ chainId: 'eip155:5', address, message, signature })).toBe(true)
    const lower = { chainId: evm, address: address.toLowerCase(), signature } as const
    expect(await verify({ ...lower, message: Buffer.from(message) })).toBe(true)
    expect(await verify({ ...lower, message: `${message}.` })).toBe(false)
  }
  // The vector in the documentation of web3.js.
  expect(
    await verify({
      chainId: 'eip155:5',
      address: '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23',
      message: 'Some data',
      signature:
        '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
    }),
  ).toBe(true)
})

/** Code that returns the four bytes of EIP-1271 for every call, and code that deploys it. */
const runtime = '631626ba7e60e01b5f5260205ff3'
const initCode = `0x6d${runtime}5f52600e6012f3` as const
/** Deploys its calldata as a contract. */
const factoryCode = '0x365f5f37365f5ff000'

test('default: EIP-1271 and EIP-6492, on the chain that the signature is for', async () => {
  const contract = `0x${'c1'.repeat(20)}` as const
  const factory = `0x${'c2'.repeat(20)}` as const
  await setCode(contract, `0x${runtime}`)
  await setCode(factory, factoryCode)
  const message = 'by a contract'
  const signature = `0x${'12'.repeat(65)}` as const
  expect(await verify({ chainId: evm, address: contract, message, signature })).toBe(true)
  const coming = getContractAddress({ from: factory, nonce: 0n })
  const wrapped = serializeErc6492Signature({ address: factory, data: initCode, signature })
  expect(await verify({ chainId: evm, address: coming, message, signature: wrapped })).toBe(true)
  expect(await verify({ chainId: evm, address: coming, message, signature })).toBe(false)
  expect(await verify({ chainId: evm, address: factory, message, signature })).toBe(false)
})

test('default: BIP-322, on the network of the address', async () => {
  // The vector of BIP-322 for P2WPKH.
  const signed = {
    address: 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    message: 'Hello World',
    signature:
      'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  }
  const mainnet = 'bip122:000000000019d6689c085ae165831e93'
  expect(await verify({ ...signed, chainId: mainnet })).toBe(true)
  expect(await verify({ ...signed, chainId: mainnet, message: 'Hello' })).toBe(false)
  expect(await verify({ ...signed, chainId: 'bip122:000000000933ea01ad0ee984209779ba' })).toBe(
    false,
  )
})

const polkadot = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'

test('default: sr25519 and ed25519 of Polkadot, over messages with the frame of its wallets', async () => {
  // The signature in the tests of the extension's own libraries.
  const address = 'J9nD3s7zssCX7bion1xctAF6xcVexcpy2uwy4jTm9JL8yuK'
  const hex =
    '84b6afb1c8e54bbcb3f4872baf172580e21310e9387a53742627d6652d121447fa406b82805ed3184fb7bd519175cc9f99f283f97954d95cf966ee164df85489'
  const signed = { chainId: polkadot, address, message: 'hello world' } as const
  for (const signature of [hex, `0x${hex}`, `0x01${hex}`])
    expect(await verify({ ...signed, signature })).toBe(true)
  const framed = { ...signed, message: '<Bytes>hello world</Bytes>', signature: hex }
  expect(await verify(framed)).toBe(true)
  expect(await verify({ ...framed, message: 'hello' })).toBe(false)
  const ed25519 = generateKeyPairSync('ed25519')
  const der = ed25519.publicKey.export({ format: 'der', type: 'spki' })
  const own = encodeAddress(Uint8Array.from(der.subarray(-32)), 0)
  const bytes = sign(null, Buffer.from('<Bytes>hello world</Bytes>'), ed25519.privateKey)
  const signature = bytes.toString('hex')
  expect(await verify({ ...signed, address: own, signature })).toBe(true)
  // Without the frame it could be a transaction.
  const bare = sign(null, Buffer.from('hello world'), ed25519.privateKey).toString('hex')
  for (const wrong of [bare, hex, signature.slice(2), `02${signature}`, '', '0x', 'zz'])
    expect(await verify({ ...signed, address: own, signature: wrong })).toBe(false)
  const elsewhere = { ...signed, signature }
  for (const wrong of [address, account.address, hexToBase58('07'.repeat(32)), ''])
    expect(await verify({ ...elsewhere, address: wrong })).toBe(false)
})

test('error: the key of Polkadot that is zero, for which anyone can sign', async () => {
  const message = 'hello world'
  const address = encodeAddress(new Uint8Array(32), 42)
  // R and S of zero are valid for every message, except for the bit that marks sr25519.
  const signature = `${'00'.repeat(63)}80`
  expect(await verify({ chainId: polkadot, address, message, signature })).toBe(false)
})

test('error: no node is no answer', async () => {
  const { address } = account
  const asked = { address, message: 'm', signature: '0x1234' } as const
  await expect(verify({ ...asked, chainId: 'eip155:5' })).rejects.toMatchObject({
    code: 'RPC_UNAVAILABLE',
  })
  for (const signature of ['', '0x', '1234', `0x${'00'.repeat(65)}`])
    expect(await verify({ ...asked, chainId: evm, signature })).toBe(false)
})

async function setCode(address: string, code: string) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'anvil_setCode',
    params: [address, code],
  })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(chains.urls[evm], { method: 'POST', headers, body })
  expect(await response.json()).not.toHaveProperty('error')
}
