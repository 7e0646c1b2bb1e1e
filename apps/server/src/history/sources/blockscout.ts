import * as z from 'zod'
import type { ActivityTransfer } from '../../activity/activity.ts'
import type { Hex } from '../../evm/hex.ts'
import { getSelector, hexAddress, hexHash } from '../../evm/schemas.ts'
import { type ExplorerParameters, getJson } from './getJson.ts'
import type { OpenList, Piece, Portion, Reached } from './outsideSource.ts'
import { blockHeight, decimalAmount, decimalCount, isoMoment, placeInBlock } from './shapes.ts'

const party = z.object({ hash: hexAddress })
const mined = { block_number: blockHeight, timestamp: isoMoment }

const transaction = z.object({
  hash: hexHash,
  // A pending transaction has neither of the two. Older versions call the block number `block`.
  block_number: blockHeight.nullish(),
  block: blockHeight.nullish(),
  timestamp: isoMoment.nullish(),
  from: party,
  to: party.nullish(),
  created_contract: party.nullish(),
  nonce: decimalCount,
  position: placeInBlock.nullish(),
  value: decimalAmount,
  fee: z.object({ value: decimalAmount.nullish() }).nullish(),
  raw_input: z.string().nullish(),
  status: z.string().nullish(),
})
const internal = z.object({
  ...mined,
  transaction_hash: hexHash,
  index: decimalCount,
  from: party,
  to: party.nullish(),
  created_contract: party.nullish(),
  value: decimalAmount,
  success: z.boolean(),
})
const transfer = z.object({
  ...mined,
  transaction_hash: hexHash.optional(),
  tx_hash: hexHash.optional(),
  from: party,
  to: party,
  token: z.object({
    address_hash: hexAddress.optional(),
    address: hexAddress.optional(),
    type: z.string().nullish(),
  }),
  total: z.object({ value: decimalAmount.nullish(), token_id: decimalAmount.nullish() }).nullish(),
})

/**
 * An account's lists at a Blockscout (docs.blockscout.com, REST API v2, `/addresses/{address}/…`).
 */
export function blockscoutLists(params: ExplorerParameters): readonly OpenList[] {
  return [
    openList(params, {
      name: 'transactions',
      row: transaction,
      piece: transactionPiece,
      start: ['block_number', 'index'],
    }),
    openList(params, {
      name: 'internal-transactions',
      row: internal,
      piece: internalPiece,
      start: ['block_number', 'index', 'transaction_index'],
    }),
    openList(params, {
      name: 'token-transfers',
      row: transfer,
      piece: transferPiece,
      start: ['block_number', 'index'],
    }),
  ]
}

type ListDefinition<Row> = {
  readonly name: string
  readonly row: z.ZodType<Row>
  /** Undefined if the row is not part of an account's activity. */
  readonly piece: (row: Row) => Piece | undefined
  /**
   * The parameters of a place in this list: the block, and the position within it, counted from its
   * end.
   */
  readonly start: readonly ['block_number', ...string[]]
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

type Mined = {
  readonly block_number?: bigint | null | undefined
  readonly block?: bigint | null | undefined
  readonly timestamp?: string | null | undefined
}

/** Undefined for a pending transaction. */
function getBlock({ block_number: number, block, timestamp }: Mined): Reached | undefined {
  const blockNumber = number ?? block
  if (typeof blockNumber !== 'bigint' || !timestamp) return undefined
  return { blockNumber, minedAtMs: Date.parse(timestamp) }
}

function openList<Row extends Mined>(
  params: ExplorerParameters,
  { name, row, piece, start }: ListDefinition<Row>,
): OpenList {
  const shape = z.object({
    items: z.array(row),
    next_page_params: z.record(z.string(), scalar).nullish(),
  })
  const read = async (address: Hex, place: Record<string, unknown>): Promise<Portion> => {
    const { chainId, url, apiKey, limits, log, responseMemory } = params
    const base = url.replace(/\/+$/, '').replace(/\/api(?:\/v2)?$/, '')
    const requestUrl = new URL(`${base}/api/v2/addresses/${address}/${name}`)
    for (const [key, value] of Object.entries(place))
      if (value !== null) requestUrl.searchParams.set(key, String(value))
    if (apiKey !== undefined) requestUrl.searchParams.set('apikey', apiKey)
    const { items, next_page_params: next } = await getJson({
      chainId,
      url: requestUrl,
      limits,
      log,
      responseMemory,
      read: (json) => {
        const parsed = shape.safeParse(json)
        return parsed.success ? { answer: parsed.data } : { fault: 'garbage', again: false }
      },
    })
    const pieces = items.flatMap((item) => piece(item) ?? [])
    const reached = items.flatMap((item) => getBlock(item) ?? []).at(-1)
    return { pieces, reached, more: next ? () => read(address, next) : undefined }
  }
  return (address, upTo) =>
    read(
      address,
      upTo === undefined
        ? {}
        : Object.fromEntries(start.map((key) => [key, key === 'block_number' ? upTo + 1n : 0])),
    )
}

function transactionPiece(row: z.infer<typeof transaction>): Piece | undefined {
  const blockNumber = row.block_number ?? row.block
  if (typeof blockNumber !== 'bigint' || !row.timestamp || typeof row.position !== 'number')
    return undefined
  return {
    hash: row.hash,
    blockNumber,
    minedAtMs: Date.parse(row.timestamp),
    facts: {
      from: row.from.hash,
      to: row.to?.hash,
      created: row.created_contract?.hash,
      nonce: row.nonce,
      valueWei: row.value,
      feeWei: row.fee?.value ?? undefined,
      selector: getSelector(row.raw_input ?? undefined),
      status: row.status === 'error' ? 'failed' : 'confirmed',
      index: row.position,
    },
    transfers: [],
  }
}

function internalPiece(row: z.infer<typeof internal>): Piece | undefined {
  const to = row.to?.hash ?? row.created_contract?.hash
  // The first is the transaction itself.
  if (row.index === 0 || !row.success || row.value === 0n || to === undefined) return undefined
  const money = { standard: 'native', contract: undefined, tokenId: undefined } as const
  return {
    hash: row.transaction_hash,
    blockNumber: row.block_number,
    minedAtMs: Date.parse(row.timestamp),
    facts: undefined,
    transfers: [{ ...money, from: row.from.hash, to, amount: row.value }],
  }
}

function transferPiece(row: z.infer<typeof transfer>): Piece | undefined {
  const hash = row.transaction_hash ?? row.tx_hash
  const contract = row.token.address_hash ?? row.token.address
  const move = parseMove(row)
  if (hash === undefined || contract === undefined || move === undefined) return undefined
  return {
    hash,
    blockNumber: row.block_number,
    minedAtMs: Date.parse(row.timestamp),
    facts: undefined,
    transfers: [{ ...move, contract, from: row.from.hash, to: row.to.hash }],
  }
}

function parseMove({
  token,
  total,
}: z.infer<typeof transfer>):
  | Pick<ActivityTransfer, 'standard' | 'tokenId' | 'amount'>
  | undefined {
  const tokenId = total?.token_id ?? undefined
  const amount = total?.value ?? undefined
  if (token.type === 'ERC-20' && amount !== undefined)
    return { standard: 'erc20', tokenId: undefined, amount }
  if (tokenId === undefined) return undefined
  if (token.type === 'ERC-721') return { standard: 'erc721', tokenId, amount: 1n }
  return token.type === 'ERC-1155'
    ? { standard: 'erc1155', tokenId, amount: amount ?? 1n }
    : undefined
}
