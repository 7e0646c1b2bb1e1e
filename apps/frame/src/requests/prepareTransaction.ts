import {
  addGasMargin,
  type FeeFields,
  getFee,
  isError,
  LatchkeyError,
  readFeeRates,
} from '@latchkey/wire'
import { formatUnits, type Hex } from 'viem'
import * as z from 'zod/mini'
import { approvals } from '../locales/approvals.en.ts'
import { fill } from '../locales/en.ts'
import { type ApprovalRequest, type PreparedRequest, placeRows } from './approvalRequest.ts'
import type { Counterparties } from './counterparties.ts'
import { describeEffects } from './describeEffects.ts'
import type { Effect } from './effect.ts'
import { caution, danger } from './getWarnings.ts'
import { assertAccount, invalidParams } from './params.ts'
import { readCall } from './readCall.ts'
import { sanitizeName } from './sanitizeName.ts'

const t = approvals.approve
const quantity = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i))
const bytes = z.string().check(z.regex(/^0x([0-9a-f]{2})*$/i), z.maxLength(262_146))

// The page's gas, fees and nonce are ignored. Fields that change the type of the transaction are refused.
const transaction = z.object({
  from: z.string(),
  to: z.optional(z.nullable(z.string().check(z.regex(/^0x[0-9a-f]{40}$/i)))),
  value: z.optional(quantity),
  data: z.optional(bytes),
  input: z.optional(bytes),
  chainId: z.optional(z.union([z.string(), z.number()])),
  type: z.optional(z.enum(['0x0', '0x1', '0x2', '0x00', '0x01', '0x02'])),
  authorizationList: z.optional(z.never()),
  blobVersionedHashes: z.optional(z.never()),
  blobs: z.optional(z.never()),
})

/**
 * eth_sendTransaction: shows what leaves the wallet, to whom, on which network and at what cost; everything else
 * comes from our RPC.
 */
export async function prepareTransaction(request: ApprovalRequest): Promise<PreparedRequest> {
  const { params, accounts, chain, read, signal, keys } = request
  const parsed = z.safeParse(z.array(transaction).check(z.length(1)), params)
  const requested = parsed.success ? parsed.data[0] : undefined
  if (!requested) throw invalidParams('transaction')
  assertAccount(requested.from, accounts.eip155)
  if (requested.chainId !== undefined && Number(requested.chainId) !== Number(chain.reference))
    throw invalidParams(`chainId is not that of ${chain.name}`)
  const to = (requested.to ?? undefined) as Hex | undefined
  const data = (requested.data ?? requested.input ?? '0x') as Hex
  if (
    requested.data &&
    requested.input &&
    requested.data.toLowerCase() !== requested.input.toLowerCase()
  )
    throw invalidParams('data and input differ')
  if (!to && data === '0x') throw invalidParams('to')
  if (Number(await read(chain, 'eth_chainId', [], signal)) !== Number(chain.reference))
    throw new LatchkeyError('CHAIN_DISCONNECTED')
  const value = BigInt(requested.value ?? 0)
  const from = accounts.eip155
  const draft = { from, ...(to && { to }), value: `0x${value.toString(16)}`, data }
  const effects = readCall({ to, value, data }, from)
  const [described, rates, estimate, hasCode, balance] = await Promise.all([
    describeEffects({ ...request, account: from }, effects, false),
    readFeeRates((method, params) => read(chain, method, params, signal)),
    estimateGas(request, draft),
    to && data !== '0x' ? isContract(request, to) : true,
    read(chain, 'eth_getBalance', [from, 'latest'], signal).then(toBig),
  ])
  const { gas, fails } = estimate
  const { maxFeeWei: cost, fields } = getFee({ rates, gas, availableWei: balance - value })
  const warnings = [
    ...described.warnings,
    ...(hasCode ? [] : [danger(approvals.warn.noContract)]),
    ...(fails === undefined ? [] : [danger(fill(approvals.warn.fails, { reason: fails }))]),
    ...(value > 0n && cost > value ? [caution(approvals.warn.feeHigh)] : []),
  ]
  return {
    view: {
      ...described,
      rows: [],
      place: [
        {
          label: t.fee,
          value:
            fails === undefined
              ? `${formatUnits(cost, chain.decimals)} ${chain.symbol}`
              : t.feeUnknown,
        },
        ...placeRows(request),
      ],
      warnings,
    },
    counterparties: getCounterparties(effects, to),
    approve: async () => {
      const nonce = toBig(await read(chain, 'eth_getTransactionCount', [from, 'pending'], signal))
      const signed = await keys.do('signEvmTransaction', {
        transaction: {
          ...signedFees(fields),
          chainId: Number(chain.reference),
          nonce: String(nonce),
          gas: String(gas),
          ...(to && { to }),
          value: String(value),
          data,
        },
      })
      // Once signed, it is sent, whatever happens to the page.
      return broadcast(request, signed)
    },
  }
}

/** The recipients, and the contracts and spenders that get permissions. */
function getCounterparties(effects: readonly Effect[], to: Hex | undefined): Counterparties {
  const sent = effects.flatMap((one) => (one.kind === 'send' && one.to ? [one.to] : []))
  const spenders = effects.flatMap((one) =>
    one.kind === 'allow' ? [one.spender] : one.kind === 'operate' ? [one.operator] : [],
  )
  return { sent, used: [...(to ? [to] : []), ...spenders] }
}

const maxTries = 3
const pauseMs = 2_000

/**
 * Sends the transaction and returns its hash. A lost answer is not a failure: the same transaction is sent again
 * until a node has it, because users who see a failure would create a second one. Throws the node's error if no node
 * has it.
 */
async function broadcast(
  { read, chain }: ApprovalRequest,
  { raw, hash }: { raw: string; hash: string },
) {
  const isThere = async () =>
    (await read(chain, 'eth_getTransactionByHash', [hash]).catch(() => null)) !== null
  for (let tries = 1; ; tries++) {
    try {
      await read(chain, 'eth_sendRawTransaction', [raw])
      return hash
    } catch (error) {
      const isSaid = isError(error, 'RPC_FAILED')
      if (isSaid && /already (known|imported)|known transaction/i.test(error.message)) return hash
      if (await isThere()) return hash
      if (isSaid || tries === maxTries) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

function toBig(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    throw new LatchkeyError('ANSWER_INVALID')
  return BigInt(value)
}

/** The transaction's type and fees, as the key worker signs them. */
const signedFees = (fields: FeeFields) =>
  'gasPrice' in fields
    ? { type: 0 as const, gasPrice: String(fields.gasPrice) }
    : {
        type: 2 as const,
        maxFeePerGas: String(fields.maxFeePerGas),
        maxPriorityFeePerGas: String(fields.maxPriorityFeePerGas),
        accessList: [],
      }

const failedGas = 1_000_000n

async function estimateGas(
  { read, chain, signal }: ApprovalRequest,
  draft: object,
): Promise<{ gas: bigint; fails?: string }> {
  try {
    const gas = toBig(await read(chain, 'eth_estimateGas', [draft], signal))
    return { gas: addGasMargin(gas) }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'RPC_FAILED') throw error
    return { gas: failedGas, fails: sanitizeName(error.message, 120) }
  }
}

async function isContract(
  { read, chain, signal }: ApprovalRequest,
  address: Hex,
): Promise<boolean> {
  const code = await read(chain, 'eth_getCode', [address, 'latest'], signal)
  return typeof code === 'string' && code !== '0x'
}
