import { closeModal, openModal } from '@latchkey/core'
import { afterEach, expect, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import { PendingState } from '../../src/parts/PendingState.tsx'
import '../../src/theme.css'
import { testApp } from '../testApp.ts'

const setMotion = (value: string) =>
  cdp().send('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-reduced-motion', value }],
  })

afterEach(() => setMotion('reduce'))

/**
 * Notes the lengths of all animations and transitions that begin, in milliseconds by their names.
 */
function watchLengths() {
  const lengths: Record<string, number> = {}
  const note = ({ target }: Event) => {
    for (const animation of (target as Element).getAnimations()) {
      const { duration } = animation.effect?.getTiming() ?? {}
      const { animationName, transitionProperty } = animation as Partial<
        CSSAnimation & CSSTransition
      >
      const name = animationName ?? transitionProperty ?? ''
      // The browser shortens a transition that turns around before its end.
      lengths[name] = Math.max(lengths[name] ?? 0, Number(duration))
    }
  }
  document.addEventListener('transitionrun', note)
  document.addEventListener('animationstart', note)
  const find = (name: string) =>
    Object.entries(lengths).find(([each]) => new RegExp(name).test(each))?.[1]
  const stop = () => {
    document.removeEventListener('transitionrun', note)
    document.removeEventListener('animationstart', note)
  }
  return { find, stop }
}

/** Opens the modal and another view of it, closes it, and shows a wallet that has failed. */
async function show() {
  const app = testApp()
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  openModal(app)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'What is a wallet?' }).click()
  const help = dialog.getByRole('button', { name: 'What is a wallet?' })
  await expect.element(help).not.toBeInTheDocument()
  closeModal(app)
  const { getByText } = await render(
    <PendingState picture={null} status="failed" title="Declined" hint="Try again" />,
  )
  await expect.element(getByText('Declined')).toBeVisible()
}

test('default: views and the card take 150 ms, titles 120 ms, and shaking 500 ms', async () => {
  await setMotion('no-preference')
  const { find, stop } = watchLengths()
  await show()
  for (const [name, length] of [
    ['slide', 150],
    ['scale', 150],
    ['opacity', 150],
    ['height|block-size', 150],
    ['vanish', 120],
    ['appear', 120],
    ['shake', 500],
  ] as const)
    await expect.poll(() => [name, find(name)]).toEqual([name, length])
  stop()
})

test('behavior: with reduced motion nothing moves', async () => {
  await setMotion('reduce')
  const { find, stop } = watchLengths()
  await show()
  for (const name of ['slide', 'scale', 'translate', 'height|block-size', 'shake'])
    expect(find(name) ?? 0, name).toBe(0)
  stop()
})
