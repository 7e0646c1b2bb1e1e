import { expect, test } from 'vitest'
import { parseAssetId, toAssetId } from './assetId.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const mint = 'BELn9TCk4uWEihwdgoUx8xUfd5ujL9pKrwtJCesiQAev'
const solana = 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'
const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const regtest = 'bip122:5c66f8fcc1e9488fef9402b1af48d8e7'

test.each([
  ['eip155:31337/slip44:60', { chainId: 'eip155:31337' }],
  [`eip155:1/erc20:${token}`, { chainId: 'eip155:1', address: token }],
  [`${solana}/slip44:501`, { chainId: solana }],
  [`${solana}/token:${mint}`, { chainId: solana, address: mint }],
  [`${bitcoin}/slip44:0`, { chainId: bitcoin }],
  [`${regtest}/slip44:1`, { chainId: regtest }],
] as const)('default: %s, in both directions', (id, asset) => {
  expect(parseAssetId(id)).toEqual(asset)
  expect(toAssetId(asset)).toBe(id)
})

test('behavior: every coin type (SLIP-44) is the native currency of the network', () =>
  expect(parseAssetId('eip155:137/slip44:966')).toEqual({ chainId: 'eip155:137' }))

test.each([
  '',
  'eip155:1',
  'eip155:1/',
  'eip155:1/slip44:',
  'eip155:1/slip44:0x3c',
  'eip155:1/slip44:60/1',
  'eip155:1/slip44:60:1',
  `eip155:1/erc721:${token}`,
  `eip155:1/erc721:${token}/1`,
  `eip155:1/ERC20:${token}`,
  `eip155:1/erc20:${token}00`,
  `eip155:1/erc20:${token.slice(2)}`,
  `eip155:1/token:${mint}`,
  `${solana}/erc20:${token}`,
  `${solana}/token:0OIl`,
  `${bitcoin}/token:${mint}`,
  `polkadot:91b171bb158e2d3848fa23a9f1c25182/token:${mint}`,
  `__proto__:1/slip44:60`,
  `eip155:01/slip44:60`,
  `cosmos:1/slip44:118`,
])('error: %j is no asset that can be sent', (text) => expect(parseAssetId(text)).toBeUndefined())

test('error: a token of a namespace without fungible tokens', () =>
  expect(() => toAssetId({ chainId: bitcoin, address: mint })).toThrow(
    expect.objectContaining({ code: 'INVALID_CAIP_ADDRESS' }),
  ))
