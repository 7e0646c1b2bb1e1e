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
import type { SponsorshipConfig } from './bundlerConfig.ts'
import { BundlerError } from './bundlerError.ts'
import { getOperationGas } from './operations/simulate.ts'
import { packOperation, type UserOperation } from './operations/userOperation.ts'
import { type SponsorshipBudget, takeBudget } from './sponsorshipBudget.ts'

/** Who pays for the operations of one chain, and within what limits. */
export type Sponsor = SponsorshipBudget & {
  readonly chainNumber: number
  readonly account: PrivateKeyAccount
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

/** Fields with a signature that has the right size, to estimate gas with. Throws BundlerError where the policy says no. */
export function stubSponsorship({ policy }: Sponsor, operation: UserOperation): PaymasterFields {
  assertPolicy(policy, operation)
  return toFields(policy, encodeData({ until: latest, signature: stubSignature }))
}

/**
 * Signs what this sponsor pays for, and counts the maximum cost towards the limits of the account and the day.
 * Throws BundlerError where the policy or a limit says no.
 */
export async function sponsorOperation(
  sponsor: Sponsor,
  operation: UserOperation,
): Promise<PaymasterFields> {
  const { policy, account, clock } = sponsor
  assertPolicy(policy, operation)
  const fields = toFields(policy, encodeData({ until: latest, signature: stubSignature }))
  const full = { ...operation, ...fields }
  const cost = getOperationGas(full) * operation.maxFeePerGas
  const until = Math.floor(clock() / 1_000) + validForSeconds
  await takeBudget(sponsor, { account: operation.sender, nonce: operation.nonce, cost, until })
  const raw = hashSponsorship(full, { chainNumber: sponsor.chainNumber, until })
  const signature = await account.signMessage({ message: { raw } })
  return toFields(policy, encodeData({ until, signature }))
}

const toFields = ({ paymaster }: SponsorshipConfig, paymasterData: Hex): PaymasterFields => ({
  paymaster: paymaster.toLowerCase() as Address,
  paymasterData,
  paymasterVerificationGasLimit: paymasterGas,
  paymasterPostOpGasLimit: 0n,
})

const encodeData = ({ until, signature }: { until: number; signature: Hex }): Hex =>
  concat([numberToHex(until, { size: 6 }), numberToHex(0, { size: 6 }), signature])

const hashParameters = parseAbiParameters(
  'address, uint256, bytes32, bytes32, bytes32, bytes32, uint256, bytes32, uint256, uint48, uint48',
)

/** As `getHash` of the paymaster contract computes it. */
function hashSponsorship(
  operation: UserOperation,
  { chainNumber, until }: { readonly chainNumber: number; readonly until: number },
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
