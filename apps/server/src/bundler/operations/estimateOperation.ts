import { hexQuantity } from '../../evm/schemas.ts'
import { BundlerError } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { getDelegate } from './checkOperation.ts'
import { fillUnknown, getDataGas } from './dataFee.ts'
import { assumedBalance, estimateGas, type GasEstimate } from './estimateGas.ts'
import { feeQuestions, readMarket } from './market.ts'
import { hashOperation, type UserOperation } from './userOperation.ts'

/**
 * Estimates the gas of an operation with the current state of its account. With `isAssumed`, the
 * account is assumed to have enough of the network's currency, so a batch can be estimated before
 * the account is funded. Throws BundlerError, RPC_UNAVAILABLE.
 */
export async function estimateOperation(
  chain: Pick<ChainBundler, 'ask' | 'l1Fee' | 'work'>,
  operation: UserOperation,
  { chainNumber, isAssumed }: { readonly chainNumber: number; readonly isAssumed: boolean },
): Promise<GasEstimate> {
  const of = [operation.sender, 'latest']
  const [code, balance, ...rates] = await chain.ask([
    { method: 'eth_getCode', params: of },
    { method: 'eth_getBalance', params: of },
    ...feeQuestions,
  ])
  if (code?.result === '0x' && !operation.eip7702Auth)
    throw new BundlerError('entryPoint', 'AA20 account not deployed')
  const delegate = getDelegate(operation, String(code?.result))
  const hash = hashOperation(operation, { chainId: chainNumber, delegate })
  const held = hexQuantity.catch(0n).parse(balance?.result)
  const funds = isAssumed && held < assumedBalance ? { balance: assumedBalance } : {}
  const [estimate, dataGas] = await Promise.all([
    estimateGas(chain, operation, { hash, ...funds }),
    getDataGas(chain, fillUnknown(operation), readMarket(rates, chainNumber)),
  ])
  // The price of data on the layer below may rise until the operation is sent.
  const preVerificationGas = estimate.preVerificationGas + (dataGas * 5n) / 4n
  return { ...estimate, preVerificationGas }
}
