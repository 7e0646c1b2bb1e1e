import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import { TransactionOutcome } from '../send/SendConfirmed.tsx'
import type { ViewProps } from '../viewProps.ts'

/** A swap that the wallet has accepted. */
export function SwapConfirmed({ view: { hash } }: ViewProps<'SwapConfirmed'>) {
  const t = useT(enSwap)
  return <TransactionOutcome hash={hash} text={(key) => t(`swapped.${key}`)} />
}
