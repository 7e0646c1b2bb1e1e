import {
  type Address,
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  padHex,
  parseAbi,
  parseAbiParameters,
  slice,
  zeroAddress,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ReadL1Fee } from '../../evm/l1Fee.ts'
import { isOurDelegate } from '../../evm/smartAccount.ts'
import type { SponsorshipConfig } from '../bundlerConfig.ts'
import { BundlerError } from '../bundlerError.ts'
import { getDelegate } from '../operations/checkOperation.ts'
import { getOperationGas } from '../operations/simulate.ts'
import { packOperation, type UserOperation } from '../operations/userOperation.ts'
import { forClient, type ValidationWork } from '../operations/validationWork.ts'
import { readPromiseEnd } from '../operations/validity.ts'
import { assertBounds, assertRates } from './sponsorBounds.ts'
import {
  assertBudget,
  assertDraftBudget,
  type Sponsorship,
  type SponsorshipBudget,
  takeBudget,
} from './sponsorshipBudget.ts'

/** The sponsor of one chain's operations, and its limits. */
export type Sponsor = SponsorshipBudget & {
  readonly chainNumber: number
  readonly l1Fee: ReadL1Fee
  readonly policy: SponsorshipConfig
  readonly account: PrivateKeyAccount
  readonly work: ValidationWork
  /**
   * The only address whose bundles may contain sponsored operations; zero for any. The paymaster
   * contract checks it.
   */
  readonly bundler: Address
  /**
   * Whether operations of an account count when this server sends or signs them: no one else can
   * use a promise then, so it counts nothing itself.
   */
  isCountedWhenSent(account: Address): Promise<boolean>
  /** Whether the operator pays for an account at all. */
  isSponsored(account: Address): Promise<boolean>
}

/** The paymaster fields of an operation (ERC-7677). */
export type PaymasterFields = {
  readonly paymaster: Address
  readonly paymasterData: Hex
  readonly paymasterVerificationGasLimit: bigint
  readonly paymasterPostOpGasLimit: bigint
}

const validForSeconds = 600
/** The largest time, so that it has the maximum number of bytes. */
const latest = 0xffffffffffff
/** Measured: 12 000 for the check of a signature, and the EntryPoint's share, with room. */
const paymasterGas = 80_000n
const stubDelegate: Hex = `0x${'ff'.repeat(20)}`
const stubSignature: Hex = `0x${'ff'.repeat(32)}${'7f'.repeat(32)}1b`

/**
 * Paymaster fields for gas estimates, with a signature of the right size. Throws BundlerError if
 * the policy refuses the operation or, as far as the operation already has its gas, if a limit is
 * reached.
 */
export async function stubSponsorship(
  sponsor: Sponsor,
  operation: UserOperation,
): Promise<PaymasterFields> {
  await readPolicy(sponsor, operation)
  const full = { ...operation, ...stubFields(sponsor) }
  await assertRates(sponsor, full)
  await assertDraftBudget(sponsor, { account: operation.sender, cost: getMaxCost(full) })
  return stubFields(sponsor)
}

function stubFields({ policy, bundler }: Sponsor): PaymasterFields {
  // The same number of nonzero bytes as in the final promise.
  const delegate = policy.contracts ? stubDelegate : zeroAddress
  return toFields(policy, encodeData({ until: latest, bundler, delegate }, stubSignature))
}

const getMaxCost = (full: UserOperation) => getOperationGas(full) * full.maxFeePerGas

/**
 * Signs the promise to pay for an operation, within the bounds of {@link assertBounds}. A promise
 * that other bundlers can use counts towards the limits at once, at its maximum cost. Throws
 * BundlerError if the policy, a bound or a limit refuses it.
 */
export async function sponsorOperation(
  sponsor: Sponsor,
  operation: UserOperation,
  { client }: { readonly client?: string | undefined } = {},
): Promise<PaymasterFields> {
  const { policy, clock, bundler } = sponsor
  const { delegate } = await readPolicy(sponsor, operation)
  if (policy.contracts && delegate === undefined)
    throw new BundlerError('paymaster', 'Not sponsored: the account does not delegate yet')
  const full = { ...operation, ...stubFields(sponsor) }
  await assertBounds(forClient(sponsor, client), full)
  const until = Math.floor(clock() / 1_000) + validForSeconds
  const asked = { ...toSponsorship(full, until), client }
  if (await sponsor.isCountedWhenSent(operation.sender)) await assertBudget(sponsor, asked)
  else await takeBudget(sponsor, { ...asked, isUnsigned: true })
  const terms = { until, bundler, delegate: (policy.contracts && delegate) ?? zeroAddress }
  return toFields(policy, await signData(sponsor, full, terms))
}

/**
 * Counts an operation towards the limits if its promise was not counted when it was made. Repeated
 * calls count once. Operations that this sponsor does not pay for are not counted. Throws
 * BundlerError if a limit is reached, or if the promise has ended or belongs to another operation.
 */
export async function countSponsored(sponsor: Sponsor, operation: UserOperation): Promise<void> {
  const { policy, clock, bundler } = sponsor
  if (operation.paymaster !== policy.paymaster.toLowerCase()) return
  const data = operation.paymasterData ?? '0x'
  const until = readPromiseEnd(operation)
  const terms = {
    until,
    bundler,
    delegate: slice(padHex(data, { dir: 'right', size: 117 }), 32, 52),
  }
  // The promise was checked against the bounds before it was signed.
  if (data !== (await signData(sponsor, operation, terms)))
    throw new BundlerError('paymaster', 'Not sponsored: the sponsorship is for another operation')
  if (until <= Math.floor(clock() / 1_000))
    throw new BundlerError('paymaster', 'Not sponsored: the sponsorship has expired')
  await takeBudget(sponsor, toSponsorship(operation, until))
}

/** The sponsorship of an operation, at its highest cost. */
export const toSponsorship = (operation: UserOperation, until: number): Sponsorship => ({
  account: operation.sender,
  nonce: operation.nonce,
  cost: getMaxCost(operation),
  until,
})

/** The data of a promise with its signature; the same for the same operation. */
async function signData(sponsor: Sponsor, operation: UserOperation, terms: Terms): Promise<Hex> {
  const { until } = terms
  if (!Number.isInteger(until) || until < 0 || until > latest) return '0x'
  const paymasterData = encodeData(terms, stubSignature)
  const raw = hashSponsorship({ ...operation, paymasterData }, sponsor)
  return encodeData(terms, await sponsor.account.signMessage({ message: { raw } }))
}

const toFields = ({ paymaster }: SponsorshipConfig, paymasterData: Hex): PaymasterFields => ({
  paymaster: paymaster.toLowerCase() as Address,
  paymasterData,
  paymasterVerificationGasLimit: paymasterGas,
  paymasterPostOpGasLimit: 0n,
})

/**
 * The terms of a promise: its end (seconds since 1970), the only bundler that may send the
 * operation, and the contract that the account delegates to; zero for any.
 */
type Terms = { readonly until: number; readonly bundler: Address; readonly delegate: Hex }

/** The encoding that the paymaster contract expects. */
const encodeData = ({ until, bundler, delegate }: Terms, signature: Hex): Hex =>
  concat([
    numberToHex(until, { size: 6 }),
    numberToHex(0, { size: 6 }),
    bundler,
    delegate,
    signature,
  ])

const hashParameters = parseAbiParameters(
  'address, uint256, bytes32, bytes32, bytes32, uint256, bytes32, bytes32, uint256',
)

/** The hash of the paymaster contract's `getHash`: everything but the two signatures. */
function hashSponsorship(
  operation: UserOperation,
  { chainNumber }: Pick<Sponsor, 'chainNumber'>,
): Hex {
  const packed = packOperation(operation)
  return keccak256(
    encodeAbiParameters(hashParameters, [
      packed.sender,
      packed.nonce,
      keccak256(packed.initCode),
      keccak256(packed.callData),
      packed.accountGasLimits,
      packed.preVerificationGas,
      packed.gasFees,
      keccak256(slice(packed.paymasterAndData, 0, 104)),
      BigInt(chainNumber),
    ]),
  )
}

const accountAbi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch(Call[] calls)',
])

/**
 * Reads the delegate of an operation's account. Throws BundlerError if the operator does not pay
 * for the account, if the operation calls anything but the contracts that the operator pays for, or
 * if the account delegates to a contract that may read the same calls differently.
 */
async function readPolicy(
  { policy: { contracts }, ask, isSponsored }: Sponsor,
  operation: UserOperation,
): Promise<{ delegate: Address | undefined }> {
  if (!(await isSponsored(operation.sender)))
    throw new BundlerError(
      'paymaster',
      'Not sponsored: the account has no email address and no sign-in at a provider',
    )
  if (!contracts) return { delegate: undefined }
  const allowed = new Set(contracts.map((one) => one.toLowerCase()))
  const targets = readTargets(operation.callData)
  const other = targets?.find((one) => !allowed.has(one.toLowerCase()))
  if (targets === undefined || targets.length === 0)
    throw new BundlerError('paymaster', 'Not sponsored: the calls cannot be read')
  if (other) throw new BundlerError('paymaster', `Not sponsored: calls to ${other}`)
  const [code] = await ask([{ method: 'eth_getCode', params: [operation.sender, 'latest'] }])
  const delegate = getDelegate(operation, String(code?.result))
  if (delegate !== undefined && !isOurDelegate(delegate))
    throw new BundlerError('paymaster', 'Not sponsored: the account delegates to another contract')
  return { delegate }
}

function readTargets(data: Hex): readonly Address[] | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: accountAbi, data })
    return functionName === 'execute' ? [args[0]] : args[0].map(({ target }) => target)
  } catch {
    return undefined
  }
}
