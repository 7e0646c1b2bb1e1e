import { parseChainId } from '@latchkey/wire'
import { permissionContracts } from '@latchkey/wire/permissions'
import { type Address, encodeFunctionData } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import { z } from 'zod'
import { hexQuantity } from '../../evm/schemas.ts'
import { isOurDelegate, simple7702Account } from '../../evm/smartAccount.ts'
import { BundlerError, readFailure, toBundlerError } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import type { NewOperation } from '../mempool/operationStore.ts'
import { assertAuthorization } from './checkAuthorization.ts'
import { checkCode } from './checkCode.ts'
import { getDataGas } from './dataFee.ts'
import { getPreVerificationGas, maxCallGas } from './estimateGas.ts'
import { feeQuestions, getLeastFees, getOffer, type Market, readMarket } from './market.ts'
import {
  getBundleBytes,
  getBundleGas,
  getDelegation,
  maxBundleBytes,
  type Simulation,
  simulateBundle,
} from './simulate.ts'
import { getPrefund } from './traceValidation.ts'
import { entryPoint, hashOperation, type UserOperation } from './userOperation.ts'
import type { ValidationWork } from './validationWork.ts'
import { assertLasts } from './validity.ts'

const code = z.string().regex(/^0x[0-9a-f]*$/i)
const maxFactor = 1_000n

/**
 * Checks an operation for the next block: fees and gas, the authorization, the EntryPoint's own
 * verdict by simulating its bundle, and the rules of ERC-7562. Checks that are cheap for a node
 * come first. Throws BundlerError, RPC_UNAVAILABLE.
 */
export async function checkOperation(
  chain: ChainBundler,
  operation: UserOperation,
): Promise<NewOperation> {
  const { ask, account, work } = chain
  assertGas(operation, work)
  const { sender, paymaster } = operation
  const [nonceReply, codeReply, ...more] = await ask([
    { method: 'eth_getTransactionCount', params: [sender, 'latest'] },
    { method: 'eth_getCode', params: [sender, 'latest'] },
    ...feeQuestions,
    ...(paymaster ? [sender, paymaster] : [sender]).map(askDeposit),
  ])
  const rates = more.slice(0, feeQuestions.length)
  const [own = 0n, deposit] = more
    .slice(feeQuestions.length)
    .map((reply) => hexQuantity.parse(reply.result))
  const market = readMarket(rates, getNumber(chain))
  await assertPays(chain, operation, market)
  const nonce = hexQuantity.parse(nonceReply?.result)
  await assertAuthorization(operation, { chainNumber: getNumber(chain), nonce })
  const delegate = getDelegate(operation, code.parse(codeReply?.result))
  if (chain.servesOnlyOurs && !isOurDelegate(delegate))
    throw new BundlerError(
      'invalidParams',
      `Only accounts that delegate to ${simple7702Account} or ${permissionContracts.account} are served`,
    )
  const hash = hashOperation(operation, { chainId: getNumber(chain), delegate })
  const [verdict] = await work.simulating(sender, () =>
    ask([simulateBundle([operation], account.address)]),
  )
  const failure = readFailure(verdict)
  if (failure) throw toBundlerError(failure)
  const missing = getMissing(operation, own)
  const { code: seen, until } = await checkCode(chain, { operation, hash, delegate, missing })
  assertLasts(until, market)
  return { hash, operation, code: seen, until, deposit, baseFee: market.baseFee }
}

/**
 * Checks only the validation again, and returns the code that it used and when it expires. Throws
 * BundlerError, RPC_UNAVAILABLE.
 */
export async function traceAgain(
  chain: ChainBundler,
  { hash, operation }: Pick<NewOperation, 'hash' | 'operation'>,
): Promise<Awaited<ReturnType<typeof checkCode>>> {
  const { sender } = operation
  const [codeReply, deposit] = await chain.ask([
    { method: 'eth_getCode', params: [sender, 'latest'] },
    askDeposit(sender),
  ])
  const delegate = getDelegate(operation, code.parse(codeReply?.result))
  const missing = getMissing(operation, hexQuantity.parse(deposit?.result))
  return checkCode(chain, { operation, hash, delegate, missing })
}

export const getNumber = ({ chainId }: Pick<ChainBundler, 'chainId'>): number =>
  Number(parseChainId(chainId).reference)

/** The account's delegate after the operation's authorization, in lower case. */
export function getDelegate(operation: UserOperation, codeOfSender: string): Address | undefined {
  if (operation.eip7702Auth) return operation.eip7702Auth.address
  const prefix = getDelegation('0x')
  return codeOfSender.toLowerCase().startsWith(prefix)
    ? `0x${codeOfSender.slice(prefix.length).toLowerCase()}`
    : undefined
}

/** The call that reads an account's deposit in the EntryPoint. */
const askDeposit = (account: Address): Simulation => ({
  method: 'eth_call',
  params: [
    {
      to: entryPoint,
      data: encodeFunctionData({
        abi: entryPoint08Abi,
        functionName: 'balanceOf',
        args: [account],
      }),
    },
    'latest',
  ],
})

/** Wei that an account with this deposit has to pay to the EntryPoint. */
function getMissing(operation: UserOperation, deposit: bigint): bigint {
  const prefund = getPrefund(operation)
  return operation.paymaster !== undefined || deposit >= prefund ? 0n : prefund - deposit
}

function assertGas(operation: UserOperation, { maxGas }: Pick<ValidationWork, 'maxGas'>): void {
  const { maxFeePerGas, maxPriorityFeePerGas, paymaster } = operation
  const wrong = (text: string) => new BundlerError('invalidParams', text)
  if (maxPriorityFeePerGas > maxFeePerGas)
    throw wrong('maxPriorityFeePerGas must not exceed maxFeePerGas')
  const verification =
    operation.verificationGasLimit + (operation.paymasterVerificationGasLimit ?? 0n)
  if (verification > maxGas) throw wrong(`verificationGasLimit must not exceed ${maxGas}`)
  if (operation.callGasLimit + (operation.paymasterPostOpGasLimit ?? 0n) > maxCallGas)
    throw wrong(`callGasLimit must not exceed ${maxCallGas}`)
  const least = getPreVerificationGas(operation)
  if (operation.preVerificationGas < least)
    throw wrong(`preVerificationGas must be at least ${least}`)
  if (operation.preVerificationGas > least * maxFactor)
    throw wrong('preVerificationGas is too large')
  if (paymaster === undefined && operation.paymasterData !== undefined)
    throw wrong('paymasterData without a paymaster')
}

/**
 * Asserts that the operation pays enough to get into a block now, including a rollup's data fee,
 * and fits into a bundle alone.
 */
async function assertPays(
  chain: ChainBundler,
  operation: UserOperation,
  market: Market,
): Promise<void> {
  const wrong = (text: string) => new BundlerError('invalidParams', text)
  const least = getLeastFees(market)
  const offer = getOffer(operation, market)
  if (offer.fee < least.fee) throw wrong(`maxFeePerGas must be at least ${least.fee}`)
  if (offer.tip < least.tip) throw wrong(`maxPriorityFeePerGas must be at least ${least.tip}`)
  if (offer.fee > 10n ** 18n) throw wrong(`maxFeePerGas must not exceed ${10n ** 18n}`)
  if (getBundleGas([operation]) > market.gasLimit)
    throw wrong('the gas limits together are more than a transaction may have')
  if (getBundleBytes([operation]) > maxBundleBytes)
    throw wrong(`the operation must not exceed ${maxBundleBytes} bytes`)
  const gas = getPreVerificationGas(operation) + (await getDataGas(chain, operation, market))
  if (operation.preVerificationGas < gas) throw wrong(`preVerificationGas must be at least ${gas}`)
}
