import { permissionContracts } from '@latchkey/wire/permissions'
import type { Address, Hex } from 'viem'
import { BundlerError } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { askCode, readDigest, type SeenCode } from './seenCode.ts'
import { getDelegation } from './simulate.ts'
import { type Entity, traceValidation } from './traceValidation.ts'
import type { UserOperation } from './userOperation.ts'
import { assertRules } from './validationRules.ts'

type Checked = {
  readonly operation: UserOperation
  readonly hash: Hex
  /** What the account delegates to when the operation runs. */
  readonly delegate: Address | undefined
  /** Wei that the account has to pay to the EntryPoint. */
  readonly missing: bigint
  /** The block whose state counts. */
  readonly block: Hex
}

/**
 * Checks the validation of an operation by the rules of ERC-7562, and returns the code that it used. Known accounts and the operator's own paymaster are not
 * traced, because their code is known. Throws BundlerError, RPC_UNAVAILABLE.
 */
export async function checkCode(chain: ChainBundler, checked: Checked): Promise<SeenCode> {
  const { operation, delegate, block } = checked
  const { sender, paymaster } = operation
  const strangers = findStrangers(chain, checked)
  const used = strangers.length === 0 ? [] : await trace(chain, { ...checked, strangers })
  const entities = [sender, delegate, paymaster].flatMap((one) => one ?? [])
  const addresses = [...new Set([...entities, ...used])]
  const [reply] = await chain.ask([askCode(operation, { addresses, block })])
  return { addresses, digest: readDigest(reply) }
}

/** The entities whose code is not known. */
function findStrangers(
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

/** The addresses whose code the validation used. */
async function trace(
  { ask, account, work }: ChainBundler,
  { strangers, ...checked }: Checked & { readonly strangers: readonly Entity[] },
): Promise<Address[]> {
  const { operation } = checked
  const { maxSteps, tracing } = work
  if (strangers.includes('paymaster')) await assertFixed({ ask }, operation)
  const found = await tracing(operation.sender, () =>
    traceValidation(ask, { ...checked, from: account.address, maxSteps, strangers }),
  )
  if (!found)
    throw new BundlerError(
      'opcode',
      'The node of this network cannot trace, so only accounts with a known implementation are taken',
    )
  assertRules(found, { operation, strangers })
  return found.facts.flatMap(({ code }) => code as Address[])
}
