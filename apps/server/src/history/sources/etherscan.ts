import * as z from 'zod'
import type { ActivityTransfer } from '../../activity/activity.ts'
import { getChainReference } from '../../evm/chain.ts'
import type { Hex } from '../../evm/hex.ts'
import { getSelector, hexAddress, hexHash } from '../../evm/schemas.ts'
import { type ExplorerParameters, getJson, type SourceFault } from './getJson.ts'
import type { OpenList, Piece, Portion } from './outsideSource.ts'
import { blockHeight, decimalAmount, decimalCount, placeInBlock, unixSeconds } from './shapes.ts'

const perPortion = 100
const newestBlock = 999_999_999

const common = { blockNumber: blockHeight, timeStamp: unixSeconds, hash: hexHash }
// Explorers write an empty string for a missing address.
const maybeAddress = z.union([z.literal('').transform(() => undefined), hexAddress]).nullish()

const transaction = z.object({
  ...common,
  nonce: decimalCount,
  transactionIndex: placeInBlock,
  from: hexAddress,
  to: maybeAddress,
  contractAddress: maybeAddress,
  value: decimalAmount,
  gasUsed: decimalAmount.optional(),
  gasPrice: decimalAmount.optional(),
  isError: z.string().optional(),
  txreceipt_status: z.string().optional(),
  input: z.string().optional(),
})
const internal = z.object({
  ...common,
  from: hexAddress,
  to: maybeAddress,
  contractAddress: maybeAddress,
  value: decimalAmount,
  isError: z.string().optional(),
})
const transfer = { ...common, from: hexAddress, to: hexAddress, contractAddress: hexAddress }
const erc20 = z.object({ ...transfer, value: decimalAmount })
const erc721 = z.object({ ...transfer, tokenID: decimalAmount })
const erc1155 = z.object({ ...transfer, tokenID: decimalAmount, tokenValue: decimalAmount })

/**
 * An account's lists at an Etherscan-compatible API (docs.etherscan.io, module `account`; v1 and
 * v2).
 */
export function etherscanLists(params: ExplorerParameters): readonly OpenList[] {
  return [
    openList(params, { action: 'txlist', row: transaction, piece: transactionPiece }),
    openList(params, { action: 'txlistinternal', row: internal, piece: internalPiece }),
    openList(params, { action: 'tokentx', row: erc20, piece: erc20Piece }),
    openList(params, { action: 'tokennfttx', row: erc721, piece: erc721Piece }),
    openList(params, { action: 'token1155tx', row: erc1155, piece: erc1155Piece }),
  ]
}

type ListDefinition<Row> = {
  readonly action: string
  readonly row: z.ZodType<Row>
  /** Undefined if nothing moved. */
  readonly piece: (row: Row) => Piece | undefined
}

function openList<Row extends { blockNumber: bigint; timeStamp: number }>(
  params: ExplorerParameters,
  { action, row, piece }: ListDefinition<Row>,
): OpenList {
  const rows = z.array(row)
  const read = async (address: Hex, endBlock: bigint, page: number): Promise<Portion> => {
    const { chainId, url, apiKey, limits, log, responseMemory } = params
    const requestUrl = new URL(url)
    const query = {
      chainid: getChainReference(chainId),
      module: 'account',
      action,
      address,
      startblock: '0',
      endblock: String(endBlock),
      page: String(page),
      offset: String(perPortion),
      sort: 'desc',
      ...(apiKey !== undefined && { apikey: apiKey }),
    }
    for (const [name, value] of Object.entries(query)) requestUrl.searchParams.set(name, value)
    const found = await getJson({
      chainId,
      url: requestUrl,
      limits,
      log,
      responseMemory,
      read: (json) => readAnswer(json, rows),
    })
    const pieces = found.flatMap((one) => piece(one) ?? [])
    // New transactions must not shift the portions that follow.
    const fixed = page === 1 ? (found[0]?.blockNumber ?? endBlock) : endBlock
    const full = found.length >= perPortion
    const last = found.at(-1)
    const reached = last && { blockNumber: last.blockNumber, minedAtMs: last.timeStamp * 1000 }
    return { pieces, reached, more: full ? () => read(address, fixed, page + 1) : undefined }
  }
  return (address, upTo) => read(address, upTo ?? BigInt(newestBlock), 1)
}

const answerShape = z.object({ status: z.string(), message: z.string(), result: z.unknown() })

/**
 * `status` is `1` with rows, `0` without rows or with an error; only the message distinguishes the
 * two.
 */
function readAnswer<Row>(json: unknown, rows: z.ZodType<Row[]>): { answer: Row[] } | SourceFault {
  const shape = answerShape.safeParse(json)
  if (!shape.success) return { fault: 'garbage', again: false }
  const { status, message, result } = shape.data
  if (status === '1' || Array.isArray(result)) {
    const parsed = rows.safeParse(result)
    return parsed.success ? { answer: parsed.data } : { fault: 'garbage', again: false }
  }
  if (/no (?:transactions|token transfers|internal transactions|records|data) found/i.test(message))
    return { answer: [] }
  const words = `${message} ${typeof result === 'string' ? result : ''}`
  if (/rate limit/i.test(words)) return { fault: 'rate limit', again: true, afterMs: 1_000 }
  return { fault: 'refused', again: false }
}

const toPieceHead = (row: { blockNumber: bigint; timeStamp: number; hash: Hex }) => ({
  hash: row.hash,
  blockNumber: row.blockNumber,
  minedAtMs: row.timeStamp * 1000,
})

function transactionPiece(row: z.infer<typeof transaction>): Piece {
  const { from, nonce, gasUsed, gasPrice } = row
  const failed = row.isError === '1' || row.txreceipt_status === '0'
  const facts = {
    from,
    to: row.to ?? undefined,
    created: row.contractAddress ?? undefined,
    nonce,
    valueWei: row.value,
    feeWei: gasUsed !== undefined && gasPrice !== undefined ? gasUsed * gasPrice : undefined,
    selector: getSelector(row.input),
    status: failed ? 'failed' : 'confirmed',
    index: row.transactionIndex,
  } as const
  return { ...toPieceHead(row), facts, transfers: [] }
}

function internalPiece(row: z.infer<typeof internal>): Piece | undefined {
  const to = row.to ?? row.contractAddress
  if (row.isError === '1' || row.value === 0n || !to) return undefined
  const money = { standard: 'native', contract: undefined, tokenId: undefined } as const
  const transfers = [{ ...money, from: row.from, to, amount: row.value }]
  return { ...toPieceHead(row), facts: undefined, transfers }
}

const tokenPiece = (
  row: z.infer<typeof erc20> | z.infer<typeof erc721> | z.infer<typeof erc1155>,
  item: Pick<ActivityTransfer, 'standard' | 'tokenId' | 'amount'>,
): Piece => ({
  ...toPieceHead(row),
  facts: undefined,
  transfers: [{ ...item, contract: row.contractAddress, from: row.from, to: row.to }],
})
const erc20Piece = (row: z.infer<typeof erc20>) =>
  tokenPiece(row, { standard: 'erc20', tokenId: undefined, amount: row.value })
const erc721Piece = (row: z.infer<typeof erc721>) =>
  tokenPiece(row, { standard: 'erc721', tokenId: row.tokenID, amount: 1n })
const erc1155Piece = (row: z.infer<typeof erc1155>) =>
  tokenPiece(row, { standard: 'erc1155', tokenId: row.tokenID, amount: row.tokenValue })
