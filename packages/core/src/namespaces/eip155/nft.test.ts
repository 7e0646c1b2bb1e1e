import { type Chains, startChains } from '@latchkey/dev'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChainWallet } from '../../../test/chainWallet.ts'
import { alice, bob, type FakeWallet, fakeConnector } from '../../../test/fakeWallet.ts'
import { rpc } from '../../../test/rpc.ts'
import { createBrowser, openApp } from '../../../test/tab.ts'
import { connect } from '../../connection/connect.ts'
import { prepareSend } from '../../send/prepareSend.ts'
import { send } from '../../send/send.ts'
import { waitForTransaction } from '../../send/waitForTransaction.ts'

let chains: Chains
let url: string
let wallet: FakeWallet
let app: ReturnType<typeof openApp>

beforeAll(async () => {
  chains = await startChains()
  url = chains.urls['eip155:31337']
})
afterAll(() => chains?.stop())
beforeEach(async () => {
  wallet = createChainWallet(url)
  app = openApp(
    {
      ...createBrowser().openTab(),
      fetch: globalThis.fetch,
      connectors: [fakeConnector({ id: 'a.one', wallet })],
    },
    { rpcUrls: chains.urls },
  )
  await connect(app, { connectorId: 'a.one' })
  return () => app.destroy()
})

const token = (standard: 'erc721' | 'erc1155', tokenId: string) => ({
  address: chains.addresses['eip155:31337'][standard === 'erc721' ? 'pictures' : 'items'],
  symbol: '',
  decimals: 0,
  nft: { standard, tokenId },
})
const call = (to: string, data: string) => rpc(url, 'eth_call', [{ to, data }, 'latest'])
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const done = (hash: string) => waitForTransaction(app, { hash, chainId: 'eip155:31337' })
const item = (owner: string, id: bigint) =>
  call(token('erc1155', '1').address, `0x00fdd58e${word(BigInt(owner))}${word(id)}`).then(
    (answer) => BigInt(String(answer)),
  )

test('default: an ERC-721 changes hands once', async () => {
  const picture = token('erc721', '1')
  const hash = await send(app, { to: bob, amount: '1', token: picture })
  expect(await done(hash)).toEqual({ status: 'success' })
  const owner = await call(picture.address, `0x6352211e${word(1n)}`)
  expect(BigInt(String(owner))).toBe(BigInt(bob))
  await expect(prepareSend(app, { to: bob, amount: '1', token: picture })).rejects.toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
  })
})

test('default: some of an ERC-1155', async () => {
  const [ours, theirs] = [await item(alice, 3n), await item(bob, 3n)]
  const hash = await send(app, { to: bob, amount: '2', token: token('erc1155', '3') })
  expect(await done(hash)).toEqual({ status: 'success' })
  expect([await item(alice, 3n), await item(bob, 3n)]).toEqual([ours - 2n, theirs + 2n])
})

test('behavior: a plan asks nothing of the wallet and tells of a contract', async () => {
  wallet.calls.length = 0
  const question = { amount: '1', token: token('erc1155', '3') }
  expect(await prepareSend(app, { ...question, to: bob })).toMatchObject({
    outflows: [{ assetId: `eip155:31337/erc1155:${question.token.address}/3`, value: 1n }],
    steps: [{ kind: 'transfer', to: bob, isToContract: false }],
  })
  expect(wallet.calls).toEqual([])
  // A contract that does not know how to hold it refuses it.
  const contract = chains.addresses['eip155:31337'].usd
  await expect(prepareSend(app, { ...question, to: contract })).rejects.toMatchObject({
    code: 'TRANSFER_REFUSED',
  })
})

test('error: what cannot be', async () => {
  const codeOf = (amount: string, tokenId: string, standard: 'erc721' | 'erc1155' = 'erc1155') =>
    prepareSend(app, { to: bob, amount, token: token(standard, tokenId) }).then(
      () => 'none',
      (error) => error.code,
    )
  expect(await codeOf('0', '3')).toBe('INVALID_SEND_INPUT')
  expect(await codeOf('1.5', '3')).toBe('INVALID_SEND_INPUT')
  expect(await codeOf('-1', '3')).toBe('INVALID_SEND_INPUT')
  expect(await codeOf('1', '-3')).toBe('INVALID_SEND_INPUT')
  expect(await codeOf('1', '0x3')).toBe('INVALID_SEND_INPUT')
  expect(await codeOf('1', '9'.repeat(78))).toBe('INVALID_SEND_INPUT')
  expect(await codeOf('999999', '3')).toBe('INSUFFICIENT_FUNDS')
  expect(await codeOf('1', '999999', 'erc721')).toBe('INSUFFICIENT_FUNDS')
})
