import {
  type Address,
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  slice,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ReadL1Fee } from '../evm/l1Fee.ts'
import type { SponsorshipConfig } from './bundlerConfig.ts'
import { BundlerError } from './bundlerError.ts'
import { getOperationGas } from './operations/simulate.ts'
import { packOperation, type UserOperation } from './operations/userOperation.ts'
import type { ValidationWork } from './operations/validationWork.ts'
import { assertBounds, assertRates } from './sponsorBounds.ts'
import {
  assertBudget,
  isPromised,
  type Sponsorship,
  type SponsorshipBudget,
  takeBudget,
} from './sponsorshipBudget.ts'

/** Who pays for the operations of one chain, and within what limits. */
export type Sponsor = SponsorshipBudget & {
  readonly chainNumber: number
  readonly l1Fee: ReadL1Fee
  readonly policy: SponsorshipConfig
  readonly account: PrivateKeyAccount
  readonly work: ValidationWork
  /** The only address whose bundles may carry what is promised; zero for any. The paymaster contract checks it. */
  readonly bundler: Address
  /** Whether only this server can send for an account: then it counts what it sends ({@link countSponsored}), and not what anybody asks for. */
  isCountedWhenSent(account: Address): Promise<boolean>
}

/** Paymaster fields of an operation, as ERC-7677 answers them. */
export type PaymasterFields = {
  readonly paymaster: Address
  readonly paymasterData: Hex
  readonly paymasterVerificationGasLimit: bigint
  readonly paymasterPostOpGasLimit: bigint
}

const validForSeconds = 600
/** As many bytes as a time may have. */
const latest = 0xffffffffffff
/** Measured: 12 000 for the check of a signature, and the EntryPoint's share, with room. */
const paymasterGas = 80_000n
const stubSignature: Hex = `0x${'ff'.repeat(32)}${'7f'.repeat(32)}1b`

/**
 * Fields with a signature that has the right size, to estimate gas with. Throws BundlerError where the policy says no, or a limit,
 * as far as the operation already has its gas.
 */
export async function stubSponsorship(
  sponsor: Sponsor,
  operation: UserOperation,
): Promise<PaymasterFields> {
  const { policy } = sponsor
  assertPolicy(policy, operation)
  const fields = stubFields(sponsor)
  await assertRates(sponsor, { ...operation, ...fields })
  await assertBudget(sponsor, {
    account: operation.sender,
    cost: getMaxCost({ ...operation, ...fields }),
  })
  return fields
}

const stubFields = ({ policy, bundler }: Sponsor) =>
  toFields(policy, encodeData({ until: latest, bundler, signature: stubSignature }))

const getMaxCost = (full: UserOperation) => getOperationGas(full) * full.maxFeePerGas

/**
 * Signs what this sponsor pays for, within the bounds of {@link assertBounds}, and counts the maximum cost towards the limits of the account and the day.
 * Throws BundlerError where the policy or a limit says no.
 */
export async function sponsorOperation(
  sponsor: Sponsor,
  operation: UserOperation,
): Promise<PaymasterFields> {
  const { policy, clock } = sponsor
  assertPolicy(policy, operation)
  const full = { ...operation, ...stubFields(sponsor) }
  await assertBounds(sponsor, full)
  const until = Math.floor(clock() / 1_000) + validForSeconds
  if (!(await sponsor.isCountedWhenSent(operation.sender)))
    await takeBudget(sponsor, toSponsorship(full, until))
  return toFields(policy, await signData(sponsor, full, until))
}

/**
 * Counts an operation towards the limits whose promise was not counted when it was made; once, however often it is asked for. One that
 * this sponsor does not pay for costs it nothing. Throws BundlerError where a limit says no, or the promise has ended or is of another operation.
 */
export async function countSponsored(sponsor: Sponsor, operation: UserOperation): Promise<void> {
  const { policy, clock } = sponsor
  if (operation.paymaster !== policy.paymaster.toLowerCase()) return
  const data = operation.paymasterData ?? '0x'
  const until = Number(data.slice(0, 14))
  if (data !== (await signData(sponsor, operation, until)))
    throw new BundlerError('paymaster', 'Not sponsored: the promise is of another operation')
  if (until <= Math.floor(clock() / 1_000))
    throw new BundlerError('paymaster', 'Not sponsored: the promise has ended')
  const sponsorship = toSponsorship(operation, until)
  if (!(await isPromised(sponsor, sponsorship))) await takeBudget(sponsor, sponsorship)
}

const toSponsorship = (operation: UserOperation, until: number): Sponsorship => ({
  account: operation.sender,
  nonce: operation.nonce,
  cost: getMaxCost(operation),
  until,
})

/** The data of a promise with its signature; the same for the same operation. */
async function signData(sponsor: Sponsor, operation: UserOperation, until: number): Promise<Hex> {
  if (!Number.isInteger(until) || until < 0 || until > latest) return '0x'
  const { account, bundler } = sponsor
  const raw = hashSponsorship(operation, sponsor, until)
  return encodeData({ until, bundler, signature: await account.signMessage({ message: { raw } }) })
}

const toFields = ({ paymaster }: SponsorshipConfig, paymasterData: Hex): PaymasterFields => ({
  paymaster: paymaster.toLowerCase() as Address,
  paymasterData,
  paymasterVerificationGasLimit: paymasterGas,
  paymasterPostOpGasLimit: 0n,
})

type PromiseData = { until: number; bundler: Address; signature: Hex }

/** As the paymaster contract reads it: until, from when on, the bundler, the signature. */
const encodeData = ({ until, bundler, signature }: PromiseData): Hex =>
  concat([numberToHex(until, { size: 6 }), numberToHex(0, { size: 6 }), bundler, signature])

const hashParameters = parseAbiParameters(
  'address, uint256, bytes32, bytes32, bytes32, bytes32, uint256, bytes32, uint256, uint48, uint48, address',
)

/** As `getHash` of the paymaster contract computes it. */
function hashSponsorship(
  operation: UserOperation,
  { chainNumber, bundler }: Pick<Sponsor, 'chainNumber' | 'bundler'>,
  until: number,
): Hex {
  const packed = packOperation(operation)
  return keccak256(
    encodeAbiParameters(hashParameters, [
      packed.sender,
      packed.nonce,
      keccak256(packed.initCode),
      keccak256(packed.callData),
      packed.accountGasLimits,
      keccak256(slice(packed.paymasterAndData, 0, 52)),
      packed.preVerificationGas,
      packed.gasFees,
      BigInt(chainNumber),
      until,
      0,
      bundler,
    ]),
  )
}

const accountAbi = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch(Call[] calls)',
])

/** Throws where the operation calls anything but the contracts that the operator pays for. */
function assertPolicy({ contracts }: SponsorshipConfig, operation: UserOperation): void {
  if (!contracts) return
  const allowed = new Set(contracts.map((one) => one.toLowerCase()))
  const targets = readTargets(operation.callData)
  const other = targets?.find((one) => !allowed.has(one.toLowerCase()))
  if (targets === undefined || targets.length === 0)
    throw new BundlerError('paymaster', 'Not sponsored: the calls cannot be read')
  if (other) throw new BundlerError('paymaster', `Not sponsored: calls of ${other}`)
}

function readTargets(data: Hex): readonly Address[] | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: accountAbi, data })
    return functionName === 'execute' ? [args[0]] : args[0].map(({ target }) => target)
  } catch {
    return undefined
  }
}
