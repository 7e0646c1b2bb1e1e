import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeBase58, encodeBase58 } from '@latchkey/wire'

// A Solana node in a separate process: every account holds the same tokens and has sent the same
// transactions.
const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const tokenCount = Number(process.env.TOKENS)
const signatures = Array.from({ length: 300 }, (_, index) => encodeBase58(numbered(64, index)))
const startSeconds = Date.parse('2026-01-01T00:00:00Z') / 1000

type Options = { readonly encoding: string; readonly dataSlice?: { readonly length: number } }
type Call = {
  id: number
  method: string
  params: [string & string[], Record<string, string>, Options]
}
const methods: Record<string, (params: Call['params']) => unknown> = {
  getGenesisHash: () => '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vUnGzeCe1P1dFz',
  getBalance: () => ({ context: { slot: 1 }, value: 1_000_000_000 }),
  getTokenAccountsByOwner: ([owner, { programId }, options]) => ({
    context: { slot: 1 },
    value: programId === tokenProgram ? readTokenAccounts(owner, options) : [],
  }),
  getMultipleAccounts: ([addresses]) => ({
    context: { slot: 1 },
    value: addresses.map(() => ({
      ...{ executable: false, lamports: 1_461_600, owner: tokenProgram, space: 82 },
      data: {
        ...{ program: 'spl-token', space: 82 },
        parsed: { type: 'mint', info: { decimals: 6, isInitialized: true, supply: '1000000000' } },
      },
    })),
  }),
  getSignaturesForAddress: ([address, { before, until }]) =>
    mintOwners.has(address) || before !== undefined || until !== undefined
      ? []
      : signatures.map((signature, index) => ({
          ...{ signature, slot: 1_000 - index, blockTime: startSeconds - index },
          ...{ err: null, memo: null, confirmationStatus: 'finalized' },
        })),
  getTransaction: ([signature]) => transfer(signature),
}
const mints = Array.from({ length: tokenCount }, (_, index) => encodeBase58(numbered(32, index)))
const tokenAccounts = mints.map((_, index) => encodeBase58(numbered(32, 1_000 + index)))
const amountOf = (index: number) => 1_000_000 + index
const mintOwners = new Set(tokenAccounts)
let lastOwner = ''

const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const json = JSON.parse(text) as Call | Call[]
  const answers = [json].flat().map(({ id, method, params }) => ({
    jsonrpc: '2.0',
    id,
    result: methods[method]?.(params) ?? null,
  }))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(Array.isArray(json) ? answers : answers[0]))
})
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
)
process.once('disconnect', () => process.exit(0))

function numbered(length: number, index: number): Uint8Array {
  const bytes = Buffer.alloc(length, 9)
  bytes.writeUInt32BE(index)
  return bytes
}

function readTokenAccounts(owner: string, { encoding, dataSlice }: Options) {
  lastOwner = owner
  const ownerBytes = decodeBase58(owner) ?? new Uint8Array()
  return tokenAccounts.map((pubkey, index) => {
    const data =
      encoding === 'jsonParsed'
        ? describe(owner, index)
        : [writeBytes(ownerBytes, index).toString('base64', 0, dataSlice?.length), 'base64']
    const fixed = { executable: false, lamports: 2_039_280, owner: tokenProgram, space: 165 }
    return { account: { data, ...fixed }, pubkey }
  })
}

const accountBytes = mints.map((_, index) => {
  const bytes = Buffer.alloc(165)
  bytes.set(numbered(32, index))
  bytes.writeBigUInt64LE(BigInt(amountOf(index)), 64)
  return bytes
})

/** Caches the bytes in memory like a node, as {@link describe} caches its strings. */
function writeBytes(owner: Uint8Array, index: number): Buffer {
  const bytes = accountBytes[index] ?? Buffer.alloc(165)
  bytes.set(owner, 32)
  return bytes
}

function describe(owner: string, index: number) {
  const amount = String(amountOf(index))
  const uiAmount = amountOf(index) / 1e6
  const tokenAmount = { amount, decimals: 6, uiAmount, uiAmountString: String(uiAmount) }
  const info = { isNative: false, mint: mints[index], owner, state: 'initialized', tokenAmount }
  return { parsed: { info, type: 'account' }, program: 'spl-token', space: 165 }
}

function transfer(signature: string) {
  const keys = [lastOwner, tokenAccounts[0], '11111111111111111111111111111111']
  return {
    slot: 1_000,
    blockTime: startSeconds,
    meta: {
      ...{ err: null, fee: 5_000, innerInstructions: [], logMessages: [] },
      ...{ preBalances: [2_000_000_000, 1, 1], postBalances: [999_995_000, 1_000_000_001, 1] },
      ...{ preTokenBalances: [], postTokenBalances: [] },
    },
    transaction: {
      signatures: [signature],
      message: {
        accountKeys: keys.map((pubkey, index) => ({ pubkey, signer: index === 0, writable: true })),
        instructions: [
          { program: 'system', programId: keys[2], parsed: { type: 'transfer', info: {} } },
        ],
      },
    },
  }
}
