import type { Entry } from '../chain/createLedger.ts'
import { parseAddress } from '../chain/describeScript.ts'
import type { BitcoinChain } from '../chain/openChain.ts'
import { Rejection } from '../chain/rejection.ts'
import { toHex } from '../chain/transaction.ts'
import {
  viewAddress,
  viewBlock,
  viewFeeEstimates,
  viewMempool,
  viewStatus,
  viewTransaction,
} from './esploraViews.ts'
import { HttpError } from './httpError.ts'

/** The response of a route. A string is sent unchanged, anything else as JSON. */
export type EsploraResponse = string | object

const confirmedPerPage = 25
const maxWaiting = 50

/**
 * Implements Esplora's REST API (https://github.com/Blockstream/esplora/blob/master/API.md) as far
 * as wallets need it. Throws {@link HttpError} with Esplora's messages.
 */
export function answerEsplora(
  chain: BitcoinChain,
  { method, path, body }: { method: string; path: string; body: string },
): EsploraResponse | Promise<EsploraResponse> {
  if (method === 'POST' && path === '/tx') return submit(chain, body)
  if (method !== 'GET') throw new HttpError(404, 'endpoint does not exist')
  for (const [pattern, answer] of routes) {
    const match = pattern.exec(path)
    if (match) return answer(chain, match[1] ?? '', match[2] ?? '')
  }
  throw new HttpError(404, 'endpoint does not exist')
}

type Route = (chain: BitcoinChain, first: string, second: string) => EsploraResponse

const routes: readonly (readonly [RegExp, Route])[] = [
  [/^\/blocks\/tip\/height$/, ({ ledger }) => String(ledger.tip.height)],
  [/^\/blocks\/tip\/hash$/, ({ ledger }) => ledger.tip.hash],
  [/^\/block-height\/(\d{1,9})$/, (chain, height) => findBlock(chain, Number(height)).hash],
  [/^\/block\/([^/]+)$/, (chain, id) => viewBlock(chain.ledger, findBlock(chain, toHash(id)))],
  [/^\/tx\/([^/]+)$/, (chain, id) => viewTransaction(findEntry(chain, id))],
  [/^\/tx\/([^/]+)\/hex$/, (chain, id) => toHex(findEntry(chain, id).transaction.bytes)],
  [/^\/tx\/([^/]+)\/status$/, (chain, id) => viewStatus(findEntry(chain, id))],
  [
    /^\/address\/([^/]+)$/,
    ({ ledger }, address) => viewAddress(ledger, address, toScript(address)),
  ],
  [
    /^\/address\/([^/]+)\/utxo$/,
    ({ ledger }, address) =>
      ledger.getCoins(toScript(address)).map(({ txid, vout, output, entry }) => ({
        txid,
        vout,
        status: viewStatus(entry),
        value: Number(output.value),
      })),
  ],
  [
    /^\/address\/([^/]+)\/txs$/,
    (chain, address) => [
      ...listWaiting(chain, address),
      ...listConfirmed(chain, address).slice(0, confirmedPerPage),
    ],
  ],
  [/^\/address\/([^/]+)\/txs\/mempool$/, (chain, address) => listWaiting(chain, address)],
  [
    /^\/address\/([^/]+)\/txs\/chain(?:\/([^/]+))?$/,
    (chain, address, lastSeen) => {
      const confirmed = listConfirmed(chain, address)
      const start = lastSeen ? confirmed.findIndex(({ txid }) => txid === toHash(lastSeen)) + 1 : 0
      return lastSeen && start === 0 ? [] : confirmed.slice(start, start + confirmedPerPage)
    },
  ],
  [/^\/mempool$/, ({ ledger }) => viewMempool(ledger)],
  [/^\/fee-estimates$/, () => viewFeeEstimates()],
]

const listConfirmed = (chain: BitcoinChain, address: string) =>
  listNewest(chain, address, ({ block }) => block !== undefined)

const listWaiting = (chain: BitcoinChain, address: string) =>
  listNewest(chain, address, ({ block }) => block === undefined).slice(0, maxWaiting)

const listNewest = (
  { ledger }: BitcoinChain,
  address: string,
  isListed: (entry: Entry) => boolean,
) => ledger.getHistory(toScript(address)).filter(isListed).reverse().map(viewTransaction)

function findBlock({ ledger }: BitcoinChain, id: number | string) {
  const block = ledger.getBlock(id)
  if (!block) throw new HttpError(404, 'Block not found')
  return block
}

function findEntry({ ledger }: BitcoinChain, txid: string) {
  const entry = ledger.getEntry(toHash(txid))
  if (!entry) throw new HttpError(404, 'Transaction not found')
  return entry
}

function toHash(text: string) {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new HttpError(400, 'Invalid hex string')
}

/**
 * The script that pays an address. Throws {@link HttpError}, also for an address of another
 * network.
 */
export function toScript(address: string): Uint8Array {
  const script = parseAddress(address)
  if (!script) throw new HttpError(400, 'Invalid Bitcoin address')
  return script
}

async function submit(chain: BitcoinChain, body: string) {
  const hex = body.trim()
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) throw rpcError(-22, 'TX decode failed')
  try {
    return (await chain.submit(Buffer.from(hex, 'hex'))).txid
  } catch (error) {
    throw error instanceof Rejection ? rpcError(error.code, error.message) : error
  }
}

const rpcError = (code: number, message: string) =>
  new HttpError(400, `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`)
