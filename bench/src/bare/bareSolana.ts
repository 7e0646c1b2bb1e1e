import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readSolanaNode } from '../readSolanaNode.ts'

// A minimal server between a program and a node: calls the node, and responds with a body as large
// as our server's.
const node = process.env.SOLANA_NODE ?? ''
const server = createServer(async (request, response) => {
  const sums = await readSolanaNode(node, request.url?.slice(1) ?? '', 'batch')
  const chainId = 'solana:5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU'
  const balances = [...sums].map(([mint, amount]) => ({
    ...{ chainId, address: `${chainId}:${mint}`, iconUrl: '' },
    quantity: { decimals: '6', numeric: amount.toString() },
  }))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ balances }))
})
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.once('disconnect', () => process.exit(0))
