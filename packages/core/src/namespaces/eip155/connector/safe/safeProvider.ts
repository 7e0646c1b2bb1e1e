import { decodeUtf8, LatchkeyError, orderMessageParams, parseBoundedJson } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { ConnectProposal } from '../../../../connection/connectors/connector.ts'
import { checkPermissionsRequest, toPermissions } from '../../provider/accountPermissions.ts'
import type { InjectedProvider } from '../provider.ts'
import type { AskSafe } from './askParent.ts'
import { assertSafe, readSafeBatch, readSafeTransaction, type SafeCall } from './readSafeRequest.ts'

/** How often to check whether a transaction has its confirmations. */
const lookMs = 3_000

const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
const hash = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/))
const bytes = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/))
const safeInfo = z.object({ safeAddress: address, chainId: z.number().check(z.positive()) })
const proposed = z.object({ safeTxHash: hash })
const transaction = z.object({ txStatus: z.string(), txHash: z.nullish(hash) })
const count = z.int().check(z.nonnegative())
const proposal = z.object({
  detailedExecutionInfo: z.object({
    nonce: count,
    confirmationsRequired: count,
    confirmations: z.array(z.unknown()).check(z.maxLength(1_000)),
  }),
})
const signed = z.union([
  z.object({ signature: bytes }),
  z.object({ messageHash: hash }),
  z.object({ safeTxHash: hash }),
])

/**
 * An EIP-1193 provider for the Safe that embeds this page. Its owners confirm requests; a
 * transaction or signature request resolves only after enough owners have confirmed, with the hash
 * of the mined transaction or the combined signature. The Safe's node answers read-only requests.
 */
export function createSafeProvider({
  ask,
  greet,
  sleep,
  signal,
}: {
  ask: AskSafe
  greet: () => Promise<unknown>
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  signal: AbortSignal
}): InjectedProvider & { readProposal: () => Promise<ConnectProposal | undefined> } {
  /** Hashes of the pending transactions, the newest last. */
  const waiting = new Set<string>()
  const readSafe = async () => parse(safeInfo, await greet())
  const propose = async (txs: readonly SafeCall[]) =>
    parse(proposed, await ask('sendTransactions', { txs })).safeTxHash
  const read = async (safeTxHash: string) =>
    parse(transaction, await ask('getTxBySafeTxHash', { safeTxHash }))

  async function waitFor<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      await sleep(lookMs, signal)
      signal.throwIfAborted()
    }
  }
  const waitForHash = (safeTxHash: string) => {
    waiting.add(safeTxHash)
    return waitFor(async () => {
      const { txStatus, txHash } = await read(safeTxHash)
      if (txStatus === 'CANCELLED') throw new LatchkeyError('USER_REJECTED')
      if (txStatus === 'FAILED')
        throw new LatchkeyError('TRANSACTION_REJECTED', { data: { reason: 'the Safe failed' } })
      return txStatus === 'SUCCESS' && txHash ? txHash : undefined
    }).finally(() => waiting.delete(safeTxHash))
  }

  async function readProposal(): Promise<ConnectProposal | undefined> {
    const safeTxHash = [...waiting].at(-1)
    if (safeTxHash === undefined) return undefined
    const found = z.safeParse(proposal, await ask('getTxBySafeTxHash', { safeTxHash }))
    if (!found.success) return undefined
    const { nonce, confirmations, confirmationsRequired } = found.data.detailedExecutionInfo
    return {
      nonce: BigInt(nonce),
      confirmed: confirmations.length,
      required: confirmationsRequired,
    }
  }

  async function sign(method: string, params: unknown): Promise<string> {
    await ask('safe_setSettings', [{ offChainSigning: true }]).catch(() => {})
    const answer = parse(signed, await ask(method, params))
    if ('signature' in answer) return answer.signature
    if ('messageHash' in answer)
      return waitFor(async () => {
        const found = await ask('getOffChainSignature', answer.messageHash)
        return typeof found === 'string' && found.length > 2 ? parse(bytes, found) : undefined
      })
    await waitForHash(answer.safeTxHash)
    // A message that was signed by a transaction is stored by the Safe itself (EIP-1271).
    return '0x'
  }

  async function request(method: string, params: readonly unknown[]): Promise<unknown> {
    const [first, second] = params
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [(await readSafe()).safeAddress]
      case 'wallet_requestPermissions':
        checkPermissionsRequest(params)
        return toPermissions([(await readSafe()).safeAddress])
      case 'wallet_getPermissions':
        return toPermissions([(await readSafe()).safeAddress])
      case 'eth_chainId':
        return toHex((await readSafe()).chainId)
      case 'personal_sign': {
        const safe = await readSafe()
        const [message, address] = orderMessageParams(params, safe.safeAddress)
        assertSafe(safe, address)
        return sign('signMessage', { message: toText(message) })
      }
      case 'eth_signTypedData':
      case 'eth_signTypedData_v3':
      case 'eth_signTypedData_v4':
        assertSafe(await readSafe(), first)
        return sign('signTypedMessage', { typedData: readTypedData(second) })
      case 'eth_sendTransaction':
        return waitForHash(await propose([readSafeTransaction(first, await readSafe())]))
      case 'wallet_sendCalls':
        return { id: await propose(readSafeBatch(first, await readSafe())) }
      case 'wallet_getCallsStatus':
        if (!z.safeParse(hash, first).success) throw new LatchkeyError('BATCH_ID_UNKNOWN')
        return toStatus(await readSafe(), await read(parse(hash, first)))
      case 'wallet_getCapabilities':
        return { [toHex((await readSafe()).chainId)]: { atomic: { status: 'supported' } } }
      case 'wallet_switchEthereumChain': {
        const { chainId } = await readSafe()
        if ((first as { chainId?: unknown } | undefined)?.chainId === toHex(chainId)) return null
        // A Safe is on one network.
        throw Object.assign(new Error('The Safe is on another network'), { code: 4902 })
      }
      default:
        if (/^(wallet|personal)_|sign/i.test(method))
          throw Object.assign(new Error(`No ${method}`), { code: 4200 })
        return ask('rpcCall', { call: method, params })
    }
  }
  return {
    readProposal,
    request: ({ method, params }) => request(method, Array.isArray(params) ? params : []),
  }
}

const toStatus = (
  { chainId }: z.infer<typeof safeInfo>,
  { txStatus, txHash }: z.infer<typeof transaction>,
) => {
  const hasSucceeded = txStatus === 'SUCCESS'
  const ended = hasSucceeded
    ? 200
    : txStatus === 'FAILED'
      ? 500
      : txStatus === 'CANCELLED'
        ? 400
        : 100
  const receipt = { transactionHash: txHash, status: hasSucceeded ? '0x1' : '0x0', logs: [] }
  return {
    ...{ version: '2.0.0', chainId: toHex(chainId), status: ended, atomic: true },
    ...(txHash && ended !== 100 && { receipts: [receipt] }),
  }
}

const toHex = (value: number) => `0x${value.toString(16)}`

/**
 * Typed data, which pages also send as JSON. Throws INVALID_PARAMS for a string that is not JSON or
 * has too many levels.
 */
function readTypedData(value: unknown): unknown {
  try {
    return typeof value === 'string' ? parseBoundedJson(value) : value
  } catch (cause) {
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'typed data' }, cause })
  }
}

/** Decodes a message that pages write as hex; returns it unchanged if it is not valid text. */
function toText(value: unknown): unknown {
  const found = z.safeParse(bytes, value)
  if (!found.success) return value
  const pairs = found.data.slice(2).match(/../g) ?? []
  return decodeUtf8(Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))) ?? value
}

function parse<Schema extends z.core.$ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  throw new LatchkeyError('WALLET_ANSWER_INVALID')
}
