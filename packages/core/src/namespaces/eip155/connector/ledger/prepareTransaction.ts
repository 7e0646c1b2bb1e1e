import { addGasMargin, addL1FeeMargin, parseChainId, readFeeRates, readL1Fee } from '@latchkey/wire'
import {
  type AccessList,
  type Hex,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem'
import * as z from 'zod/mini'
import { estimateTransactionGas } from '../../transactions.ts'
import { toBigInt } from '../../values.ts'
import { readAllowanceCall } from '../readCall.ts'
import {
  assertOwn,
  assertSigner,
  invalidDeviceResponse,
  type Signing,
  type SigningParameters,
  signOnDevice,
} from './signOnDevice.ts'

const quantity = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))
/** `''` and `0x` count as an omitted value. */
const wei = z.string().check(z.regex(/^(0x[0-9a-fA-F]{0,64})?$/))
const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
const bytes = z.string().check(z.regex(/^(0x([0-9a-fA-F]{2})*)?$/))
const slot = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/))
const asked = z.object({
  from: address,
  to: z.nullish(address),
  value: z.nullish(wei),
  data: z.nullish(bytes),
  input: z.nullish(bytes),
  gas: z.nullish(quantity),
  gasLimit: z.nullish(quantity),
  nonce: z.nullish(quantity),
  gasPrice: z.nullish(quantity),
  maxFeePerGas: z.nullish(quantity),
  maxPriorityFeePerGas: z.nullish(quantity),
  chainId: z.nullish(z.union([quantity, z.number()])),
  accessList: z.nullish(z.array(z.object({ address, storageKeys: z.array(slot) }))),
  type: z.nullish(z.union([z.string().check(z.regex(/^0x[0-9a-fA-F]{1,2}$/)), z.number()])),
  blobs: z.optional(z.unknown()),
  blobVersionedHashes: z.optional(z.unknown()),
  maxFeePerBlobGas: z.optional(z.unknown()),
  authorizationList: z.nullish(z.never()),
})
type TransactionRequest = z.infer<typeof asked>

/**
 * Parses a request to send a transaction and fills in missing fields. `finish` resolves to its hash
 * after a node has accepted it.
 */
export async function prepareLedgerTransaction(question: SigningParameters): Promise<Signing> {
  const { chainId, account, node, useDevice } = question
  const parsed = z.safeParse(asked, question.params[0])
  if (!parsed.success)
    throw invalidDeviceResponse('the transaction has a field that a Ledger cannot sign')
  assertOwn(account, parsed.data.from)
  const { transaction, next } = await complete(question, parsed.data)
  const { to, value = 0n, gas = 0n, data = '0x', nonce = next, accessList = [] } = transaction
  const price = transaction.maxFeePerGas ?? transaction.gasPrice ?? 0n
  // An access list is data too.
  const listed = accessList.flatMap(({ address, storageKeys }) => [address, ...storageKeys])
  const allData = [data, ...listed.map((each) => each.slice(2))].join('')
  const l1FeeWei = await readL1Fee(node, {
    chainId,
    transactions: [{ to: to ?? undefined, value, data: allData, gas }],
  })
  return {
    review: {
      ...({ kind: 'transaction', chainId, address: account.address } as const),
      ...{
        to: to ?? undefined,
        valueWei: value,
        maxFeeWei: gas * price + addL1FeeMargin(l1FeeWei),
      },
      nonce: nonce === next ? undefined : { asked: nonce, next },
      accessList: accessList.map(({ address, storageKeys }, at) => ({
        name: `[${at}] ${address}`,
        value: storageKeys.join(' ') || '[]',
      })),
      data: data === '0x' ? undefined : data,
      call: to ? readAllowanceCall(data) : undefined,
    },
    async finish() {
      const unsigned = serializeTransaction(transaction)
      // `null` disables resolution, so Ledger's library requests no data from its hosts.
      const { r, s, v } = await signOnDevice(useDevice, account, (eth) =>
        eth.signTransaction(account.path, unsigned.slice(2), null),
      )
      const signature = { r: toWord(r), s: toWord(s), ...toRecovery(transaction, BigInt(`0x${v}`)) }
      const raw = serializeTransaction(transaction, signature)
      await assertSigner(account, () =>
        recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized }),
      )
      await node('eth_sendRawTransaction', [raw])
      return keccak256(raw)
    },
  }
}

const toWord = (hex: string): Hex => `0x${hex.padStart(64, '0')}`

/** Converts `v`. A legacy transaction has its network in `v` (EIP-155). */
const toRecovery = (transaction: TransactionSerializable, v: bigint) =>
  transaction.type === 'legacy' ? { v } : { yParity: Number(v) }

async function complete(
  { chainId, account, node }: SigningParameters,
  wanted: TransactionRequest,
): Promise<{ transaction: TransactionSerializable; next: number }> {
  const { reference } = parseChainId(chainId)
  if (wanted.chainId != null && String(Number(wanted.chainId)) !== reference)
    throw invalidDeviceResponse('the transaction is for another network')
  if (wanted.data && wanted.input && wanted.data !== wanted.input)
    throw invalidDeviceResponse('data and input differ')
  const type = readType(wanted)
  const data = (wanted.data || wanted.input || '0x') as Hex
  const call = {
    ...{
      from: account.address,
      value: (wanted.value?.slice(2) ? wanted.value : '0x0') as Hex,
      data,
    },
    ...(wanted.to && { to: wanted.to }),
  }
  const gasWanted = wanted.gas ?? wanted.gasLimit
  const [pending, gas, fee] = await Promise.all([
    node('eth_getTransactionCount', [account.address, 'pending']),
    gasWanted
      ? toBigInt(gasWanted)
      : estimateTransactionGas(node, call as never).then(addGasMargin),
    getFeeFields({ node, reference }, wanted, type),
  ])
  const next = toNonce(pending)
  const nonce = wanted.nonce == null ? next : toNonce(wanted.nonce)
  const common = {
    ...{ chainId: Number(reference), nonce, gas, data },
    ...{ to: (wanted.to ?? null) as Hex | null, value: toBigInt(call.value) },
  }
  const accessList = (wanted.accessList ?? []) as AccessList
  const transaction: TransactionSerializable & { type: keyof typeof types } =
    'maxFeePerGas' in fee
      ? { type: 'eip1559', ...common, ...fee, accessList }
      : type === types.eip2930 || accessList.length > 0
        ? { type: 'eip2930', ...common, ...fee, accessList }
        : { type: 'legacy', ...common, ...fee }
  const found = types[transaction.type]
  if (type !== undefined && type !== found)
    throw invalidDeviceResponse(`with the fees of this network it is of type ${found}, not ${type}`)
  return { transaction, next }
}

/** The numbers of the types (EIP-2718). */
const types = { legacy: 0, eip2930: 1, eip1559: 2 } as const

/**
 * The requested transaction type. Refuses blobs, and contradictory types or fees, because the page
 * would not learn that something was dropped.
 */
function readType({
  gasPrice,
  maxFeePerGas,
  maxPriorityFeePerGas,
  accessList,
  ...wanted
}: TransactionRequest) {
  const type = wanted.type == null ? undefined : Number(wanted.type)
  const blobs = [wanted.blobs, wanted.blobVersionedHashes, wanted.maxFeePerBlobGas]
  if (type === 3 || blobs.some((field) => field != null))
    throw invalidDeviceResponse('a Ledger sends no blob transactions')
  if (type !== undefined && ![0, 1, 2].includes(type))
    throw invalidDeviceResponse(`a Ledger signs nothing of type ${type}`)
  const isDynamic = maxFeePerGas != null || maxPriorityFeePerGas != null
  if (isDynamic && gasPrice != null)
    throw invalidDeviceResponse('gasPrice and maxFeePerGas exclude each other')
  if (type === 2 ? gasPrice != null : type !== undefined && isDynamic)
    throw invalidDeviceResponse(`a transaction of type ${type} has another fee`)
  if (type === 0 && accessList != null)
    throw invalidDeviceResponse('a transaction of type 0 has no accessList')
  return type
}

function toNonce(value: unknown): number {
  const nonce = Number(toBigInt(value))
  if (!Number.isSafeInteger(nonce)) throw invalidDeviceResponse('the nonce is too large')
  return nonce
}

async function getFeeFields(
  { node, reference }: { node: SigningParameters['node']; reference: string },
  wanted: TransactionRequest,
  type: number | undefined,
) {
  if (wanted.gasPrice != null) return { gasPrice: toBigInt(wanted.gasPrice) }
  const { maxFeePerGas, maxPriorityFeePerGas } = wanted
  if (maxFeePerGas != null && maxPriorityFeePerGas != null) {
    const fields = {
      maxFeePerGas: toBigInt(maxFeePerGas),
      maxPriorityFeePerGas: toBigInt(maxPriorityFeePerGas),
    }
    if (fields.maxPriorityFeePerGas > fields.maxFeePerGas)
      throw invalidDeviceResponse('maxPriorityFeePerGas is above maxFeePerGas')
    return fields
  }
  if (maxFeePerGas != null || maxPriorityFeePerGas != null)
    throw invalidDeviceResponse('maxFeePerGas and maxPriorityFeePerGas belong together')
  const { fields, maxWei } = await readFeeRates(node, reference)
  // A page that requests an older type without a price leaves the price to the wallet.
  return type === types.legacy || type === types.eip2930 ? { gasPrice: maxWei } : fields
}
