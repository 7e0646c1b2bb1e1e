import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Hex = `0x${string}`

/** A transaction in the data of a test's explorer, with all of its transfers. */
export type Seen = {
  readonly block: number
  readonly index: number
  readonly hash: Hex
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly input: string
  readonly failed: boolean
  readonly internal: readonly { readonly from: Hex; readonly to: Hex; readonly value: bigint }[]
  readonly tokens: readonly {
    readonly standard: 'erc20' | 'erc721' | 'erc1155'
    readonly contract: Hex
    readonly from: Hex
    readonly to: Hex
    readonly id: bigint
    readonly amount: bigint
  }[]
}

/** When a block was mined, in seconds. */
export const minedAt = (block: number) => 1_700_000_000 + block * 12

type ExplorerHandler = (url: URL, response: ServerResponse) => boolean

/**
 * An HTTP server on this machine that answers like the documented APIs: Etherscan's
 * `module=account` at `/v2/api`, Blockscout's REST API v2 at `/api/v2`. `answer` can replace an
 * answer; `seen` may change; `urls` lists the requested URLs.
 */
export async function startExplorer(seen: Seen[], answer: ExplorerHandler = () => false) {
  const urls: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://explorer')
    urls.push(url)
    response.on('error', () => {})
    if (answer(url, response)) return
    const body = url.pathname === '/v2/api' ? etherscan(seen, url) : blockscout(seen, url)
    response.setHeader('content-type', 'application/json')
    response.statusCode = body === undefined ? 404 : 200
    response.end(JSON.stringify(body ?? { message: 'Not found' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { origin, urls, stop }
}

const newestFirst = (seen: readonly Seen[]) =>
  [...seen].sort((a, b) => b.block - a.block || b.index - a.index)
const concerns = (account: string, ...parties: string[]) => parties.includes(account)

function etherscan(seen: readonly Seen[], url: URL) {
  const query = (name: string) => url.searchParams.get(name) ?? ''
  const account = query('address')
  const rows = newestFirst(seen)
    .filter(({ block }) => block <= Number(query('endblock')))
    .flatMap((one) => etherscanRows(query('action'), account, one))
  const size = Number(query('offset'))
  const result = rows.slice((Number(query('page')) - 1) * size, Number(query('page')) * size)
  if (result.length > 0) return { status: '1', message: 'OK', result }
  return { status: '0', message: 'No transactions found', result: [] }
}

function etherscanRows(action: string, account: string, one: Seen): object[] {
  const seen = {
    blockNumber: String(one.block),
    timeStamp: String(minedAt(one.block)),
    hash: one.hash,
  }
  const gas = { gas: '21000', gasPrice: '1000000000', gasUsed: '21000' }
  if (action === 'txlist')
    return concerns(account, one.from, one.to)
      ? [
          {
            ...seen,
            ...gas,
            nonce: '5',
            blockHash: one.hash,
            transactionIndex: String(one.index),
            from: one.from,
            to: one.to,
            value: String(one.value),
            isError: one.failed ? '1' : '0',
            txreceipt_status: one.failed ? '0' : '1',
            input: one.input,
            contractAddress: '',
            cumulativeGasUsed: '1',
            confirmations: '9',
            methodId: one.input.slice(0, 10),
            functionName: '',
          },
        ]
      : []
  if (action === 'txlistinternal')
    return one.internal
      .filter(({ from, to }) => concerns(account, from, to))
      .map(({ from, to, value }, index) => ({
        ...seen,
        from,
        to,
        value: String(value),
        contractAddress: '',
        input: '',
        type: 'call',
        gas: '1',
        gasUsed: '1',
        traceId: String(index),
        isError: '0',
        errCode: '',
      }))
  const standard = { tokentx: 'erc20', tokennfttx: 'erc721', token1155tx: 'erc1155' }[action]
  return one.tokens
    .filter((token) => token.standard === standard && concerns(account, token.from, token.to))
    .map(({ contract, from, to, id, amount }) => ({
      ...seen,
      ...gas,
      nonce: '5',
      from,
      to,
      contractAddress: contract,
      tokenName: 'Token',
      tokenSymbol: 'TKN',
      transactionIndex: String(one.index),
      ...(standard === 'erc20' && { value: String(amount), tokenDecimal: '18' }),
      ...(standard !== 'erc20' && { tokenID: String(id) }),
      ...(standard === 'erc1155' && { tokenValue: String(amount) }),
    }))
}

const portion = 50

function blockscout(seen: readonly Seen[], url: URL) {
  const [, account = '', list = ''] =
    /^\/api\/v2\/addresses\/(0x[0-9a-f]{40})\/([a-z-]+)$/.exec(url.pathname) ?? []
  const entries = newestFirst(seen).flatMap((one) => blockscoutRows(list, account, one))
  const number = (name: string) => Number(url.searchParams.get(name) ?? 'NaN')
  const [block, index] = [number('block_number'), number('index')]
  const transaction = number('transaction_index')
  const rest = Number.isNaN(block)
    ? entries
    : entries.filter(({ at }) =>
        list === 'internal-transactions'
          ? before(at, [block, transaction, index])
          : before([at[0], at[2]], [block, index]),
      )
  const items = rest.slice(0, portion)
  const last = items.at(-1)?.at
  const more = rest.length > portion && last !== undefined
  const internal = list === 'internal-transactions'
  return {
    items: items.map(({ item }) => item),
    next_page_params: more
      ? {
          block_number: last[0],
          index: last[2],
          ...(internal && { transaction_index: last[1] }),
          items_count: portion,
        }
      : null,
  }
}

const before = (a: readonly number[], b: readonly number[]): boolean => {
  const at = a.findIndex((value, index) => value !== b[index])
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0)
}

type Entry = { readonly at: readonly [number, number, number]; readonly item: object }

function blockscoutRows(list: string, account: string, one: Seen): Entry[] {
  const party = (hash: Hex) => ({ hash, is_contract: false, name: null, is_verified: null })
  const mined = {
    block_number: one.block,
    timestamp: new Date(minedAt(one.block) * 1000).toISOString().replace('.000Z', '.000000Z'),
  }
  if (list === 'transactions')
    return concerns(account, one.from, one.to)
      ? [
          {
            at: [one.block, one.index, one.index],
            item: {
              ...mined,
              hash: one.hash,
              position: one.index,
              from: party(one.from),
              to: party(one.to),
              created_contract: null,
              nonce: 5,
              value: String(one.value),
              fee: { type: 'actual', value: '21000000000000' },
              raw_input: one.input,
              method: null,
              status: one.failed ? 'error' : 'ok',
              result: one.failed ? 'Reverted' : 'success',
            },
          },
        ]
      : []
  if (list === 'internal-transactions')
    return one.internal
      .map(({ from, to, value }, index): Entry & { parties: string[] } => ({
        parties: [from, to],
        at: [one.block, one.index, index + 1],
        item: {
          ...mined,
          transaction_hash: one.hash,
          transaction_index: one.index,
          index: index + 1,
          from: party(from),
          to: party(to),
          created_contract: null,
          value: String(value),
          success: true,
          error: null,
          type: 'call',
          gas_limit: '1',
        },
      }))
      .filter(({ parties }) => concerns(account, ...parties))
      .reverse()
  const types = { erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' }
  return one.tokens
    .map((token, place): Entry & { parties: string[] } => ({
      parties: [token.from, token.to],
      // Logs are counters through a block.
      at: [one.block, one.index, one.index * 1_000 + place],
      item: {
        ...mined,
        transaction_hash: one.hash,
        log_index: one.index * 1_000 + place,
        from: party(token.from),
        to: party(token.to),
        token: { address_hash: token.contract, type: types[token.standard], symbol: 'TKN' },
        total: {
          ...(token.standard !== 'erc721' && { value: String(token.amount), decimals: '18' }),
          ...(token.standard !== 'erc20' && { token_id: String(token.id) }),
        },
        type: 'token_transfer',
      },
    }))
    .filter(({ parties }) => concerns(account, ...parties))
    .reverse()
}
