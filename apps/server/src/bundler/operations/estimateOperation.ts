import { hexQuantity } from '../../evm/schemas.ts'
import type { AskChain } from '../askChain.ts'
import { getDelegate } from './checkOperation.ts'
import { assumedBalance, estimateGas, type GasEstimate } from './estimateGas.ts'
import { hashOperation, type UserOperation } from './userOperation.ts'

/**
 * Estimates the gas of an operation as its account is now. With `isAssumed`, the account counts as having enough of the network's
 * currency: a batch can be estimated before the account has what it sends. Throws BundlerError, RPC_UNAVAILABLE.
 */
export async function estimateOperation(
  ask: AskChain,
  operation: UserOperation,
  { chainNumber, isAssumed }: { readonly chainNumber: number; readonly isAssumed: boolean },
): Promise<GasEstimate> {
  const of = [operation.sender, 'latest']
  const [code, balance] = await ask([
    { method: 'eth_getCode', params: of },
    { method: 'eth_getBalance', params: of },
  ])
  const delegate = getDelegate(operation, String(code?.result))
  const hash = hashOperation(operation, { chainId: chainNumber, delegate })
  const held = hexQuantity.catch(0n).parse(balance?.result)
  const funds = isAssumed && held < assumedBalance ? { balance: assumedBalance } : {}
  return estimateGas(ask, operation, { hash, ...funds })
}
