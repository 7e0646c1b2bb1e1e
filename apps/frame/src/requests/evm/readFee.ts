import {
  type Fee,
  type FeeFields,
  type FeeRates,
  formatUnits,
  getFee,
  LatchkeyError,
  readFeeRates,
  readL1Fee,
} from '@latchkey/wire'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { toBig } from '../params.ts'
import type { EvmCall } from './readCall.ts'

type Step = EvmCall & { readonly gas: bigint }

/**
 * The maximum fee of the account's transactions. `short`: why the account cannot pay both the fee
 * and the amounts, if it cannot.
 */
export type TransactionFee = {
  readonly fields: FeeFields
  readonly feeWei: bigint
  readonly text: string
  readonly short: string | undefined
}

/** Chooses the fee that a transaction offers. */
export type ToFee = (given: {
  readonly rates: FeeRates
  readonly gas: bigint
  readonly l1FeeWei: bigint
  readonly availableWei: bigint
}) => Fee

/**
 * Reads the current maximum fee of transactions with these gas limits. `toFee` chooses the fee if
 * they replace other transactions.
 */
export async function readFee(
  { read, chain, accounts, signal }: ApprovalRequest,
  steps: readonly Step[],
  toFee: ToFee = getFee,
): Promise<TransactionFee> {
  const ask = (method: string, params: unknown[]) => read(chain, method, params, signal)
  const [rates, balance, l1FeeWei] = await Promise.all([
    readFeeRates(ask, chain.reference),
    ask('eth_getBalance', [accounts.eip155, 'latest']).then(toBig),
    readL1Fee(ask, { chainId: chain.id, transactions: steps.map(withAccessList) }),
  ])
  const gas = steps.reduce((sum, one) => sum + one.gas, 0n)
  const availableWei = steps.reduce((left, { value }) => left - value, balance)
  const { maxFeeWei, fields } = toFee({ rates, gas, l1FeeWei, availableWei })
  const { symbol, decimals } = chain
  const isShort = maxFeeWei > availableWei
  return {
    fields,
    feeWei: maxFeeWei,
    text: `${formatUnits(maxFeeWei, decimals)} ${symbol}`,
    short: isShort
      ? new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol } }).message
      : undefined,
  }
}

/** An access list counts as data too. */
const withAccessList = ({ to, value, data, gas, accessList = [] }: Step) => ({
  ...{ to, value, gas },
  data: accessList
    .flatMap(({ address, storageKeys }) => [address, ...storageKeys])
    .reduce((all, one) => all + one.slice(2), data as string),
})
