import { expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { nftsArea } from './nftsArea.ts'

const chain = chainWith(['http://127.0.0.1:1'])
const { config } = makeServices({
  'eip155:1': chain,
  'eip155:2': { ...chain, activity: { source: 'off' } },
  'eip155:3': { ...chain, activity: { source: 'etherscan', url: 'http://127.0.0.1:1' } },
  'solana:x': chain,
})

test('default: says where from, or why not', () => {
  expect(nftsArea(config, 'eip155:1')).toEqual({
    on: true,
    source:
      "The network's contracts; metadata by https: and data:, not ipfs: without IPFS_GATEWAY, not ar: without ARWEAVE_GATEWAY",
  })
  expect(nftsArea({ ...config, ipfsGateway: 'https://a.b' }, 'eip155:1').source).toMatch(
    'ipfs: by IPFS_GATEWAY',
  )
  const off = (['eip155:2', 'eip155:3', 'solana:x', 'eip155:9'] as const).map((id) =>
    nftsArea(config, id),
  )
  expect(off).toEqual([
    {
      on: false,
      source: "NFTs need the server's own activity index, but activity.source is off",
    },
    {
      on: false,
      source: "NFTs need the server's own activity index, but activity.source is etherscan",
    },
    { on: false, source: 'NFTs are available on eip155 networks only' },
    { on: false, source: 'The network is not configured' },
  ])
})
