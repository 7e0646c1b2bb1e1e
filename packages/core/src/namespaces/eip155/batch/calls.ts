import { LatchkeyError, readFeeRates } from '@latchkey/wire'
import { encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import * as z from 'zod/mini'
import { isUnknownMethod } from '../../../connection/requests/isUnknownMethod.ts'
import type { CallsActions } from '../../batchCalls.ts'
import { checkCalls } from '../checkCalls.ts'
import { isEvmAddress, toHex } from '../values.ts'
import { readCallsStatus } from './readCallsStatus.ts'
import { readBatchCapabilities } from './readCapabilities.ts'

/** The largest batch; no wallet accepts more. */
const maxCalls = 100

/** Batches of calls (EIP-5792), with the same checks for every wallet (specification §5). */
export const evmCalls: CallsActions = {
  async send({ wallet, address, chainId, approvedMethods, calls: list, isAtomic = false, id }) {
    assertApproved(approvedMethods, 'wallet_sendCalls')
    if (list.length === 0 || list.length > maxCalls) throw invalid('calls')
    const batch = {
      version: '2.0.0',
      chainId: toHexId(chainId),
      from: address,
      atomicRequired: isAtomic,
      calls: list.map(toCall),
      ...(id !== undefined && { id }),
    }
    checkCalls([batch])
    const answer = sendAnswer.safeParse(await wallet('wallet_sendCalls', [batch]))
    if (!answer.success) throw new LatchkeyError('WALLET_ANSWER_INVALID')
    // Older wallets return only the id.
    return typeof answer.data === 'string' ? answer.data : answer.data.id
  },
  async getStatus({ wallet, approvedMethods, id }) {
    if (approvedMethods && !approvedMethods.includes('wallet_getCallsStatus'))
      throw new LatchkeyError('CALL_STATUS_NOT_APPROVED')
    return readCallsStatus(await wallet('wallet_getCallsStatus', [id]))
  },
  async show({ wallet, approvedMethods, id }) {
    assertApproved(approvedMethods, 'wallet_showCallsStatus')
    await wallet('wallet_showCallsStatus', [id])
  },
  async getCapabilities({ wallet, address, chainId, approvedMethods }) {
    if (approvedMethods && !approvedMethods.includes('wallet_sendCalls')) return none
    const key = toHexId(chainId)
    const answer = await wallet('wallet_getCapabilities', [address, [key]]).catch(
      (error: unknown) => {
        // Most wallets do not support batches.
        if (isUnknownMethod(error)) return {}
        throw error
      },
    )
    return readBatchCapabilities(answer, chainId)
  },
  async getPending({ wallet }) {
    const answer = pendingAnswer.safeParse(await wallet('wallet_getPendingTransactions', []))
    if (!answer.success) throw new LatchkeyError('WALLET_ANSWER_INVALID')
    return answer.data
  },
  async replace({ wallet, hash, action }) {
    const answer = hashText.safeParse(await wallet('wallet_replaceTransaction', [{ hash, action }]))
    if (!answer.success) throw new LatchkeyError('WALLET_ANSWER_INVALID')
    return answer.data
  },
  async draftSponsored({ node, address, chainId, calls: list = unknownCalls, gas = paymentGas }) {
    const { maxWei } = await readFeeRates(node, toHexId(chainId))
    const price = { maxFeePerGas: toHex(maxWei), maxPriorityFeePerGas: toHex(0n) }
    const limits = { callGasLimit: toHex(gas), ...draftGas }
    const callData = encodeForAccount(list)
    const operation = { sender: address, nonce: '0x0', callData, ...limits, ...price }
    return [operation, entryPoint, toHexId(chainId), {}]
  },
}

const entryPoint = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
const accountAbi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch(Call[] calls)',
])
const unknownCalls = [{ to: zeroAddress }]
const paymentGas = 150_000n
/** The gas limits of a draft: more than the first operation of an account uses. */
const draftGas = {
  verificationGasLimit: toHex(100_000n),
  preVerificationGas: toHex(100_000n),
}

const none = { atomic: 'unsupported', isSponsored: false } as const
const text = z.string().check(z.maxLength(4_096))
const hashText = z.string().check(z.regex(/^0x[0-9a-f]{64}$/i))
const pendingAnswer = z.array(
  z.object({
    hash: hashText,
    earlier: z.array(hashText),
    isCancelled: z.boolean(),
    canBeReplaced: z.boolean(),
    isOperation: z.optional(z.boolean()),
    batchId: z.optional(z.string()),
  }),
)
const sendAnswer = z.union([text, z.object({ id: text })])

type WalletCall = Parameters<CallsActions['send']>[0]['calls'][number]

function toCall({ to, data = '0x', value = 0n }: WalletCall, index: number) {
  if (!isEvmAddress(to)) throw invalid(`calls[${index}].to`)
  if (!/^0x([0-9a-fA-F]{2})*$/.test(data)) throw invalid(`calls[${index}].data`)
  if (value < 0n || value >= 1n << 256n) throw invalid(`calls[${index}].value`)
  return { to, data, value: toHex(value) }
}

/** Encodes calls for the account: a single call, or several as one batch. */
function encodeForAccount(list: readonly WalletCall[]): Hex {
  const all = list.map(({ to, value = 0n, data = '0x' }) => ({
    target: to as Hex,
    value,
    data: data as Hex,
  }))
  const [first] = all
  if (!first || all.length > 1)
    return encodeFunctionData({ abi: accountAbi, functionName: 'executeBatch', args: [all] })
  const args = [first.target, first.value, first.data] as const
  return encodeFunctionData({ abi: accountAbi, functionName: 'execute', args })
}

const toHexId = (chainId: string) => toHex(BigInt(chainId.slice(chainId.indexOf(':') + 1)))

const invalid = (reason: string) => new LatchkeyError('INVALID_PARAMS', { data: { reason } })

function assertApproved(approvedMethods: readonly string[] | undefined, method: string): void {
  if (approvedMethods && !approvedMethods.includes(method))
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
}
