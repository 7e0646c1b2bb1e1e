import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { FrameChain } from '../../chains.ts'
import type { ReadChain } from '../../readChain.ts'
import { assertAccount, invalidParameters } from '../params.ts'
import type { CallsAccess, SentCalls } from './callsAccess.ts'
import { log, readStep, receipt, type StepReceipt } from './readStep.ts'

/** A request for the status or the capabilities of batches, with its dependencies. */
type BatchStatusParameters = {
  readonly params: unknown
  readonly chains: readonly FrameChain[]
  readonly account: string
  readonly access: CallsAccess
  readonly read: ReadChain
  readonly now: () => number
}

const hex = z.string().check(z.regex(/^0x[0-9a-f]*$/i))
const operationReceipt = z.object({ success: z.boolean(), logs: z.array(log), receipt })

/**
 * EIP-5792: 100 pending, 200 confirmed, 400 will not be sent, 500 reverted, 600 partly reverted.
 */
type Status = {
  readonly status: 100 | 200 | 400 | 500 | 600
  readonly receipts: readonly StepReceipt[]
}

/** wallet_getCallsStatus. Throws INVALID_PARAMS, BATCH_ID_UNKNOWN. */
export async function getBatchStatus(question: BatchStatusParameters): Promise<object> {
  const [id] = Array.isArray(question.params) ? (question.params as unknown[]) : []
  if (typeof id !== 'string') throw invalidParameters('id')
  const sent = await question.access.find(id)
  const chain = question.chains.find((one) => one.id === sent?.chainId)
  if (!sent || !chain) throw new LatchkeyError('BATCH_ID_UNKNOWN')
  const isOperation = sent.kind === 'operation'
  const found = await (isOperation
    ? readOperation(question, { chain, sent })
    : readTransactions(question, { chain, sent }))
  return {
    version: '2.0.0',
    id,
    chainId: `0x${Number(chain.reference).toString(16)}`,
    atomic: isOperation,
    ...found,
  }
}

async function readOperation(
  { read, access }: BatchStatusParameters,
  { chain, sent }: { chain: FrameChain; sent: Extract<SentCalls, { kind: 'operation' }> },
): Promise<Status> {
  const first = { hash: sent.hash, isCancelled: false }
  const versions = [first, ...(await access.readReplacements(sent.hash))]
  const askAll = (method: string) =>
    Promise.all(versions.map(({ hash }) => read(chain, method, [hash])))
  const answers = await askAll('eth_getUserOperationReceipt')
  const at = answers.findIndex((answer) => answer !== null)
  if (at < 0) {
    const isWaiting = (await askAll('eth_getUserOperationByHash')).some((one) => one !== null)
    return { status: isWaiting ? 100 : 400, receipts: [] }
  }
  if (versions[at]?.isCancelled) return { status: 400, receipts: [] }
  const parsed = z.safeParse(operationReceipt, answers[at])
  if (!parsed.success) throw new LatchkeyError('ANSWER_INVALID')
  const { success, logs, receipt: carrier } = parsed.data
  // A bundle may contain other operations: report only what this operation did.
  const own = { ...carrier, logs, status: success ? '0x1' : '0x0' }
  return { status: success ? 200 : 500, receipts: [own] }
}

async function readTransactions(
  { read, account, access, now }: BatchStatusParameters,
  { chain, sent }: { chain: FrameChain; sent: Extract<SentCalls, { kind: 'transactions' }> },
): Promise<Status> {
  const steps = await Promise.all(
    sent.hashes.map((hash, at) =>
      readStep({ read, chain, account, access }, { hash, nonce: sent.nonces?.[at] }),
    ),
  )
  const receipts = steps.flatMap((step) => (step.kind === 'included' ? [step.receipt] : []))
  const good = receipts.filter(({ status }) => BigInt(status) === 1n).length
  if (steps.some(({ kind }) => kind === 'pending') || now() < sent.moreUntilMs)
    return { status: 100, receipts }
  if (good === sent.total) return { status: 200, receipts }
  if (good > 0) return { status: 600, receipts }
  return { status: receipts.length > 0 ? 500 : 400, receipts }
}

const maxChains = 100

/** The permissions that wallet_grantPermissions supports (ERC-7715). */
const permissions = {
  supported: true,
  signerTypes: ['keys'],
  permissionTypes: [
    'contract-call',
    'native-token-recurring-allowance',
    'erc20-recurring-allowance',
  ],
  policyTypes: [],
} as const

/**
 * wallet_getCapabilities, for the networks that the page names or for all. Throws UNAUTHORIZED for
 * another account.
 */
export async function getBatchCapabilities(question: BatchStatusParameters): Promise<object> {
  const { params, chains, account, access } = question
  const [address, wanted] = Array.isArray(params) ? (params as unknown[]) : []
  if (typeof address !== 'string') throw new LatchkeyError('MISSING_CAPABILITIES_ADDRESS')
  assertAccount(address, account)
  const ids = z.safeParse(z.array(hex).check(z.maxLength(maxChains)), wanted ?? [])
  if (!ids.success) throw invalidParameters('chainIds')
  const isSmart = (await access.readType()) === 'smartAccount'
  const asked = new Set(ids.data.map((id) => String(BigInt(id))))
  return Object.fromEntries(
    chains
      .filter(
        ({ namespace, reference }) =>
          namespace === 'eip155' && (asked.size === 0 || asked.has(reference)),
      )
      .map(({ reference, smartAccounts }) => [
        `0x${Number(reference).toString(16)}`,
        {
          atomic: { status: !smartAccounts ? 'unsupported' : isSmart ? 'supported' : 'ready' },
          // Our own capability: the operator pays fees here, within its policy and limits.
          ...(isSmart && smartAccounts?.sponsor && { sponsorship: { supported: true } }),
          // ERC-7677, the page's own paymaster: the user would sign its data unread.
          paymasterService: { supported: false },
          // This wallet answers `wallet_getAssets` (ERC-7811).
          assetDiscovery: { supported: true },
          ...(smartAccounts?.permissions && { permissions }),
        },
      ]),
  )
}
