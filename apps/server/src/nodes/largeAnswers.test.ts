import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { honest, honestSolana, startUpstream } from '../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { readTransactions } from '../history/sources/readTransactions.ts'
import { requestSolana } from '../solana/requestSolana.ts'
import { createUpstreams } from './upstreams.ts'

const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const solana = `solana:${genesis.slice(0, 32)}` as const

async function open(
  chainId: 'eip155:5' | typeof solana,
  handler: Parameters<typeof startUpstream>[0],
) {
  const node = await startUpstream(handler)
  onTestFinished(node.stop)
  const services = makeServices({ [chainId]: chainWith([node.url]) })
  return createUpstreams({ ...services, log: pino({ level: 'silent' }) }, { maxBytes: 10_000 })
}

test('error: signature lists that are too much for one answer are read in parts', async () => {
  const memo = 'x'.repeat(4_000)
  const handler = honestSolana(genesis, { getSignaturesForAddress: [{ memo }] })
  const nodes = { upstreams: await open(solana, handler), chainId: solana }
  const call = { method: 'getSignaturesForAddress', params: [] }
  expect(await requestSolana(nodes, Array(7).fill(call))).toEqual(Array(7).fill([{ memo }]))
})

test('error: transactions with large calldata are read without most of it', async () => {
  const sender = `0x${'a1'.repeat(20)}` as const
  const facts = { from: sender, to: sender, nonce: '0x1', value: '0x2', transactionIndex: '0x0' }
  const input = `0xa9059cbb${'00'.repeat(20_000)}`
  const accessList = [{ address: sender, storageKeys: Array(500).fill(`0x${'00'.repeat(32)}`) }]
  const handler = honest(5, { eth_getTransactionByHash: { ...facts, input, accessList } })
  const hash = `0x${'12'.repeat(32)}` as const
  const found = await readTransactions(await open('eip155:5', handler), 'eip155:5', [hash])
  expect(found.get(hash)).toMatchObject({ from: sender, valueWei: 2n, selector: '0xa9059cbb' })
})
