import { getCapabilities } from '@latchkey/core'
import { useApp, useFeatures, useModal, useNetwork } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Glyph, type GlyphName } from '../parts/Glyph.tsx'
import { hasNothing } from './hasNothing.ts'
import type { Holdings } from './useHoldings.ts'

type Action = {
  name: 'send' | 'swap' | 'receive' | 'buy' | 'faucet'
  view: 'Send' | 'Swap' | 'Receive' | 'Buy' | 'Account'
  glyph: GlyphName
  isHeld?: true | undefined
}

/**
 * The actions for the selected network. Empty accounts are offered actions that get something
 * first.
 */
export function HeroActions({ holdings }: { holdings: Holdings }) {
  const { network } = useNetwork()
  const { open } = useModal()
  const { data: areas } = useFeatures()
  const can = getCapabilities(useApp(), { chainId: network.caipNetworkId, areas })
  // Until the server's features are known, a button keeps its space but is invisible.
  const isHeld = areas === undefined || undefined
  const send = can.send && ({ name: 'send', view: 'Send', glyph: 'send' } as const)
  const swap =
    (can.swap || isHeld) && ({ name: 'swap', view: 'Swap', glyph: 'swap', isHeld } as const)
  const receive = { name: 'receive', view: 'Receive', glyph: 'receive' } as const
  const buy =
    (can.onramp || isHeld) && ({ name: 'buy', view: 'Buy', glyph: 'coins', isHeld } as const)
  const faucet = can.faucet && ({ name: 'faucet', view: 'Account', glyph: 'drop' } as const)
  // An empty account has nothing to send.
  const offered = hasNothing(holdings) ? [receive, buy, faucet] : [send, receive, swap, buy]
  const actions: readonly Action[] = offered.filter(
    (action) => action !== false && action !== undefined,
  )
  return (
    <div className="actions">
      {actions.map(({ name, view, glyph, isHeld }, index) => (
        <button
          key={name}
          type="button"
          className="round"
          data-look={index === 0 ? 'main' : undefined}
          data-waits={isHeld}
          aria-haspopup="dialog"
          onClick={() => open(view === 'Account' ? { name: view, tab: 'tokens' } : { name: view })}
        >
          <span className="roundIcon">
            <Glyph name={glyph} size={24} />
          </span>
          {text(`nav.${name}`)}
        </button>
      ))}
    </div>
  )
}
