import type { Services } from '../services.ts'
import { createCoinbase } from './coinbase/createCoinbase.ts'
import { createHostedCheckout } from './hostedCheckout.ts'
import type { OnrampProvider } from './provider.ts'

/** The providers of `ONRAMP_FILE` by id, in the operator's order. */
export function openProviders(
  services: Pick<Services, 'log' | 'clock' | 'config'>,
): ReadonlyMap<string, OnrampProvider> {
  const entries = [...services.config.onramp].map(([id, config]): [string, OnrampProvider] => [
    id,
    config.type === 'coinbase'
      ? createCoinbase(services, id, config)
      : createHostedCheckout(services, id, config),
  ])
  return new Map(entries)
}
