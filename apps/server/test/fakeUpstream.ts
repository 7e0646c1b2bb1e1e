import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeBase58 } from '@latchkey/wire'

type Call = { id: number; method: string; params?: unknown }
export type Handler = (response: ServerResponse, calls: Call[], request: IncomingMessage) => void

/**
 * A chain node in this process, controlled by `handle`. `bodies` counts the HTTP requests by the
 * first method of each.
 */
export async function startUpstream(handle: Handler) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const json: Call | Call[] = JSON.parse(text)
    const calls = Array.isArray(json) ? json : [json]
    bodies.push(calls[0]?.method ?? '')
    response.on('error', () => {})
    handle(response, calls, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, bodies, stop }
}

/** Answers like an honest node of the EVM chain `chainId`, except for the methods in `results`. */
export const honest = (chainId: number, results: Results = {}): Handler =>
  answering(results, { eth_chainId: `0x${chainId.toString(16)}` })

/**
 * Answers like an honest node of the Solana chain with this genesis hash, except for the methods in
 * `results`.
 */
export const honestSolana = (genesis: string, results: Results = {}): Handler =>
  answering(results, { getGenesisHash: genesis })

/**
 * Answers like an honest node of the Polkadot chain with this genesis hash, except for the methods
 * in `results`.
 */
export const honestPolkadot = (genesis: string, results: Results = {}): Handler =>
  answering(results, {
    chain_getBlockHash: ([number]: [number]) => (number === 0 ? genesis : null),
  })

/**
 * The first 72 bytes of a token account, in the form of a node's `dataSlice`. `amount` in base
 * units.
 */
export function tokenAccountData(account: {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
}): [string, 'base64'] {
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(account.amount)
  const keys = [account.mint, account.owner].map((key) => decodeBase58(key) ?? new Uint8Array())
  return [Buffer.concat([...keys, amount]).toString('base64'), 'base64']
}

/**
 * Results by method, which a test may change while it runs. A function gets the parameters of the
 * call, and an Error becomes a JSON-RPC error.
 */
type Results = Record<string, unknown>

const answering =
  (results: Results, identity: Results): Handler =>
  (response, calls) => {
    const answers = calls.map(({ id, method, params }) => {
      const found = results[method] ?? identity[method]
      const given = typeof found === 'function' ? found(params) : found
      const error =
        given instanceof Error ? { code: -32000, ...given, message: given.message } : undefined
      const result = given === undefined ? { method, params } : given
      return { jsonrpc: '2.0', id, ...(error ? { error } : { result }) }
    })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers.reverse()))
  }
