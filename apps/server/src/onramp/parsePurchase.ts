import type { PaymentMethod } from '@latchkey/wire'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { paymentCurrencies } from './assets.ts'
import { toCents } from './estimateQuote.ts'
import type { OnrampProvider } from './provider.ts'

/** The provider that a request names, or the first one. Throws {@link HttpFailure}. */
export function findOnrampProvider(
  providers: ReadonlyMap<string, OnrampProvider>,
  id: string | undefined,
): OnrampProvider {
  if (providers.size === 0) throw new HttpFailure(onrampOff)
  const found = id === undefined ? [...providers.values()][0] : providers.get(id)
  if (found === undefined) throw new HttpFailure(unknownProvider)
  return found
}

/**
 * Throws {@link HttpFailure} if a payment cannot be made with a provider. Checks the amount if one
 * was chosen.
 */
export function checkPayment(
  { config }: OnrampProvider,
  {
    currency,
    method,
    amount,
  }: {
    readonly currency: string
    readonly method: PaymentMethod
    readonly amount: string | undefined
  },
): void {
  const refuse = (field: string, reason: string) => new HttpFailure(badRequest(field, reason))
  const accepted = paymentCurrencies.find(
    ({ id }) => id === currency && (config.currencies as readonly string[]).includes(id),
  )
  if (accepted === undefined)
    throw refuse('paymentCurrency', `Pay in ${config.currencies.join(' or ')}`)
  const limits = accepted.payment_method_limits.find(({ id }) => id === method)
  if (limits === undefined || !config.methods.includes(method))
    throw refuse('paymentMethod', 'The provider does not accept this payment method')
  if (amount === undefined) return
  if (!/^(0|[1-9]\d{0,8})(\.\d{1,2})?$/.test(amount))
    throw refuse('amount', 'The amount is not a number with at most two decimals')
  const cents = toCents(amount)
  if (cents < toCents(limits.min) || cents > toCents(limits.max))
    throw refuse('amount', `The amount is not between ${limits.min} and ${limits.max} ${currency}`)
}

const unknownProvider = badRequest('provider', 'There is no such provider. See /v1/onramp/options')

/** The failure of every request while no provider is configured. */
export const onrampOff: Failure = {
  status: 503,
  field: 'onramp',
  description: 'Buying is not available: the operator has configured no provider',
}
