import { permissionContracts } from '@latchkey/wire/permissions'
import { type Address, type Hex, numberToHex, pad } from 'viem'
import { hexQuantity } from '../../evm/schemas.ts'
import { BundlerError } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import {
  askCode,
  askValues,
  type CodeSlots,
  readDigest,
  readValues,
  type SeenCode,
} from './seenCode.ts'
import { getDelegation } from './simulate.ts'
import type { Facts } from './tracer.ts'
import { type Entity, traceValidation } from './traceValidation.ts'
import type { UserOperation } from './userOperation.ts'
import { assertRules } from './validationRules.ts'
import { earlier, readPromiseEnd, readUntil } from './validity.ts'

type Checked = {
  readonly operation: UserOperation
  readonly hash: Hex
  /** The account's delegate when the operation runs. */
  readonly delegate: Address | undefined
  /** Wei that the account has to pay to the EntryPoint. */
  readonly missing: bigint
}

/**
 * Checks the validation of an operation by the rules of ERC-7562, and returns the code that it used
 * and when it expires. Known accounts and the operator's own paymaster are not traced, because
 * their code is known. Throws BundlerError, RPC_UNAVAILABLE.
 */
export async function checkCode(
  chain: ChainBundler,
  checked: Checked,
): Promise<{ readonly code: SeenCode; readonly until: number | undefined }> {
  const untrusted = findUntrusted(chain, checked)
  const promised = readPromised(chain, checked)
  if (untrusted.length === 0)
    return {
      code: await readCode(chain, checked, { used: [], slots: {}, block: 'latest' }),
      until: promised,
    }
  // One block for all calls, read at the last moment, because nodes discard the state of older
  // blocks.
  return chain.work.tracing(checked.operation.sender, async () => {
    const [head] = await chain.ask([{ method: 'eth_blockNumber', params: [] }])
    const block = numberToHex(hexQuantity.parse(head?.result))
    const { until, ...seen } = await trace(chain, { ...checked, block, untrusted })
    return {
      code: await readCode(chain, checked, { ...seen, block }),
      until: earlier(until, promised),
    }
  })
}

/** The end of the operator's own sponsorship promise. */
function readPromised(
  { trustedPaymaster }: ChainBundler,
  { operation }: Checked,
): number | undefined {
  const isOwn = operation.paymaster !== undefined && operation.paymaster === trustedPaymaster
  return isOwn ? readPromiseEnd(operation) : undefined
}

/**
 * The code of all participants, and the storage that they read. Throws BundlerError if the account
 * no longer delegates to the same address as when the operation was checked.
 */
async function readCode(
  { ask }: ChainBundler,
  { operation, delegate }: Checked,
  { used, slots, block }: Seen & { readonly block: Hex | 'latest' },
): Promise<SeenCode> {
  const { sender, paymaster, eip7702Auth } = operation
  const entities = [sender, delegate, paymaster].flatMap((one) => one ?? [])
  const addresses = [...new Set([...entities, ...used])]
  const [digest, code, ...values] = await ask([
    askCode(operation, { addresses, block }),
    { method: 'eth_getCode', params: [sender, block] },
    ...askValues(slots, block),
  ])
  if (delegate && !eip7702Auth && code?.result !== getDelegation(delegate))
    throw new BundlerError('opcode', 'account changed its code while it was checked')
  const storage = values.length > 0 && { slots, digest: readValues(values) }
  return { addresses, digest: readDigest(digest), ...(storage && { storage }) }
}

/** Addresses whose code a validation used, and the storage that it read. */
type Seen = { readonly used: readonly Address[]; readonly slots: CodeSlots }

/** The entities with unknown code. */
function findUntrusted(
  { trustedDelegate, trustedPaymaster }: ChainBundler,
  { operation: { paymaster }, delegate }: Checked,
): readonly Entity[] {
  const isKnown = delegate === trustedDelegate || delegate === permissionContracts.account
  const isTrusted = paymaster === undefined || paymaster === trustedPaymaster
  return [...(isKnown ? [] : ['account' as const]), ...(isTrusted ? [] : ['paymaster' as const])]
}

/** A paymaster that delegates (EIP-7702) could have other code at any time. */
async function assertFixed(
  { ask }: Pick<ChainBundler, 'ask'>,
  { paymaster }: UserOperation,
): Promise<void> {
  const [reply] = await ask([{ method: 'eth_getCode', params: [paymaster, 'latest'] }])
  if (String(reply?.result).startsWith(getDelegation('0x')))
    throw new BundlerError('opcode', 'paymaster delegates (EIP-7702)')
}

/** The code and the storage that the validation used, and the time when it expires. */
async function trace(
  { ask, account, work }: ChainBundler,
  checked: Checked & { readonly block: Hex; readonly untrusted: readonly Entity[] },
): Promise<Seen & { readonly until: number | undefined }> {
  const { operation, untrusted } = checked
  const { maxSteps } = work
  if (untrusted.includes('paymaster')) await assertFixed({ ask }, operation)
  const found = await traceValidation(ask, { ...checked, from: account.address, maxSteps })
  if (!found)
    throw new BundlerError(
      'opcode',
      'The node of this network cannot trace, so only accounts with a known implementation are taken',
    )
  assertRules(found, { operation, untrusted })
  const ends = found.facts.map((facts, index) =>
    readUntil(facts, index === 0 ? 'account' : 'paymaster'),
  )
  return {
    used: found.facts.flatMap(({ code }) => code as Address[]),
    slots: toSlots(found.facts),
    until: ends.reduce(earlier),
  }
}

function toSlots(facts: readonly Pick<Facts, 'slots'>[]): CodeSlots {
  const slots: Record<Address, Hex[]> = {}
  for (const [at, keys] of facts.flatMap((one) => Object.entries(one.slots))) {
    const known = slots[at as Address] ?? []
    slots[at as Address] = [...new Set([...known, ...keys.map((key) => pad(`0x${key}`))])]
  }
  return slots
}
