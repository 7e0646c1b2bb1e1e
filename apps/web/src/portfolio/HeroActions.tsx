import { getCapabilities } from '@latchkey/core'
import { useApp, useFaucet, useFeatures, useModal, useNetwork } from '@latchkey/react'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { text } from '../locales/text.ts'
import { Glyph, type GlyphName } from '../parts/Glyph.tsx'
import { hasNothing } from './hasNothing.ts'
import type { Holdings } from './useHoldings.ts'

type Action = {
  name: 'send' | 'swap' | 'receive' | 'buy' | 'faucet'
  glyph: GlyphName
  onPress: () => unknown
  /** Whether a press opens a view. */
  opens?: true
  isHeld?: boolean
  isBusy?: boolean
}

/**
 * The actions for the selected network. Empty accounts are offered actions that get something
 * first.
 */
export function HeroActions({ holdings }: { holdings: Holdings }) {
  const { network } = useNetwork()
  const { open } = useModal()
  const { data: areas } = useFeatures()
  const { isAvailable: hasFaucet, getTestMoney, isPending, problem } = useFaucet()
  const can = getCapabilities(useApp(), { chainId: network.caipNetworkId, areas })
  // Until the server's features are known, a button keeps its space but is invisible.
  const isHeld = areas === undefined
  const view = (name: 'Send' | 'Swap' | 'Receive' | 'Buy') =>
    ({ opens: true, onPress: () => open({ name }) }) as const
  const send = can.send && ({ name: 'send', glyph: 'send', ...view('Send') } as const)
  const swap =
    (can.swap || isHeld) && ({ name: 'swap', glyph: 'swap', isHeld, ...view('Swap') } as const)
  const receive = { name: 'receive', glyph: 'receive', ...view('Receive') } as const
  const buy =
    (can.onramp || isHeld) && ({ name: 'buy', glyph: 'coins', isHeld, ...view('Buy') } as const)
  const faucet =
    hasFaucet &&
    ({ name: 'faucet', glyph: 'drop', onPress: getTestMoney, isBusy: isPending } as const)
  // An empty account has nothing to send.
  const isEmpty = hasNothing(holdings)
  const offered = isEmpty ? [receive, buy, faucet] : [send, receive, swap, buy]
  const actions: readonly Action[] = offered.filter((action) => action !== false)
  const bar = useRef<HTMLDivElement>(null)
  useKeptFocus(bar)
  return (
    <>
      <div ref={bar} className="actions">
        {actions.map(({ name, glyph, onPress, opens, isHeld, isBusy }, index) => (
          <button
            key={name}
            type="button"
            className="round"
            data-look={index === 0 ? 'main' : undefined}
            data-waits={isHeld || undefined}
            aria-haspopup={opens && 'dialog'}
            aria-busy={isBusy || undefined}
            aria-disabled={isBusy || undefined}
            onClick={onPress}
          >
            <span className="roundIcon">
              {isBusy ? <span className="turning" /> : <Glyph name={glyph} size={24} />}
            </span>
            {text(`nav.${name}`)}
          </button>
        ))}
      </div>
      {isEmpty && problem && (
        <p role="alert" className="actionsProblem problem small">
          {problem}
        </p>
      )}
    </>
  )
}

/** Focuses the first button of `bar` if the button that had the focus is gone. */
function useKeptFocus(bar: RefObject<HTMLDivElement | null>): void {
  const focused = useRef<Element>(undefined)
  useLayoutEffect(() => {
    const { activeElement, body } = document
    if (bar.current?.contains(activeElement)) focused.current = activeElement ?? undefined
    else if (activeElement !== body || !focused.current) focused.current = undefined
    else if (!focused.current.isConnected) bar.current?.querySelector('button')?.focus()
  })
}
