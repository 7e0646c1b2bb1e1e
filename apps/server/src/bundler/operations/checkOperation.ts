import { parseChainId } from '@latchkey/wire'
import { permissionContracts } from '@latchkey/wire/permissions'
import type { Address, Hex } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { z } from 'zod'
import { hexQuantity } from '../../evm/schemas.ts'
import { BundlerError, readFailure, toBundlerError } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { getDataGas } from './dataFee.ts'
import { getPreVerificationGas, maxCallGas, maxVerificationGas } from './estimateGas.ts'
import { feeQuestions, getLeastFees, getOffer, type Market, readMarket } from './market.ts'
import {
  getBundleBytes,
  getBundleGas,
  getDelegation,
  maxBundleBytes,
  simulateBundle,
} from './simulate.ts'
import { hashOperation, isCanonical, toAuthorization, type UserOperation } from './userOperation.ts'
import { checkValidation } from './validationRules.ts'

const code = z.string().regex(/^0x[0-9a-f]*$/i)
const maxFactor = 1_000n

/**
 * Checks an operation as it would be in the next block, and returns its hash: fees and gas, the authorization, the
 * EntryPoint's own verdict by simulating its bundle, and the rules of ERC-7562. Throws BundlerError, RPC_UNAVAILABLE.
 */
export async function checkOperation(chain: ChainBundler, operation: UserOperation): Promise<Hex> {
  const { ask, account } = chain
  assertGas(operation)
  const [nonceReply, codeReply, verdict, ...rates] = await ask([
    { method: 'eth_getTransactionCount', params: [operation.sender, 'latest'] },
    { method: 'eth_getCode', params: [operation.sender, 'latest'] },
    simulateBundle([operation], account.address),
    ...feeQuestions,
  ])
  await assertPays(chain, operation, readMarket(rates))
  await assertAuthorization(chain, operation, hexQuantity.parse(nonceReply?.result))
  const delegate = getDelegate(operation, code.parse(codeReply?.result))
  const failure = readFailure(verdict)
  if (failure) throw toBundlerError(failure)
  const hash = hashOperation(operation, { chainId: getNumber(chain), delegate })
  // A known account and the operator's own paymaster do nothing else while they validate: their code is known.
  const isKnown = delegate === chain.trustedDelegate || delegate === permissionContracts.account
  const isTrusted =
    operation.paymaster === undefined || operation.paymaster === chain.trustedPaymaster
  const entities = [
    ...(isKnown ? [] : (['account'] as const)),
    ...(isTrusted ? [] : (['paymaster'] as const)),
  ]
  if (entities.length > 0 && !(await checkValidation(ask, { operation, hash, entities })))
    throw new BundlerError(
      'opcode',
      'The node of this network cannot trace, so only accounts with a known implementation are taken',
    )
  return hash
}

export const getNumber = ({ chainId }: Pick<ChainBundler, 'chainId'>): number =>
  Number(parseChainId(chainId).reference)

/** What the account delegates to once the operation's authorization counts; in lower case. */
export function getDelegate(operation: UserOperation, codeOfSender: string): Address | undefined {
  if (operation.eip7702Auth) return operation.eip7702Auth.address
  const prefix = getDelegation('0x')
  return codeOfSender.toLowerCase().startsWith(prefix)
    ? `0x${codeOfSender.slice(prefix.length).toLowerCase()}`
    : undefined
}

function assertGas(operation: UserOperation): void {
  const { maxFeePerGas, maxPriorityFeePerGas, paymaster } = operation
  const wrong = (text: string) => new BundlerError('invalidParams', text)
  if (maxPriorityFeePerGas > maxFeePerGas)
    throw wrong('maxPriorityFeePerGas must not exceed maxFeePerGas')
  const verification =
    operation.verificationGasLimit + (operation.paymasterVerificationGasLimit ?? 0n)
  if (verification > maxVerificationGas)
    throw wrong(`verificationGasLimit must not exceed ${maxVerificationGas}`)
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

/** The operation pays what gets it into a block now, the data fee of a rollup included, and fits into a bundle alone. */
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

/** One network, this account, its next nonce: anything else is dropped by the network, or would be valid where the user did not intend it. */
async function assertAuthorization(
  chain: ChainBundler,
  { sender, eip7702Auth }: UserOperation,
  nonce: bigint,
): Promise<void> {
  if (!eip7702Auth) return
  const wrong = (text: string) => new BundlerError('invalidParams', `eip7702Auth: ${text}`)
  if (Number(eip7702Auth.chainId) !== getNumber(chain)) throw wrong('chainId is of another network')
  if (eip7702Auth.nonce !== nonce) throw wrong(`nonce must be ${nonce}`)
  if (BigInt(eip7702Auth.address) === 0n) throw wrong('address must not be zero')
  if (!isCanonical(eip7702Auth)) throw wrong('s is too large')
  const authorization = toAuthorization(eip7702Auth)
  const found = await recoverAuthorizationAddress({ authorization }).catch(() => undefined)
  if (found?.toLowerCase() !== sender) throw wrong('is not signed by the sender')
}
