import { closeModal, openModal } from '@latchkey/core'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider, useCount } from '../../src/index.ts'
import { PendingState } from '../../src/parts/PendingState.tsx'
import '../../src/theme.css'
import { testApp } from '../testApp.ts'

// Loads all style sheets.
import.meta.glob('../../src/**/*.module.css', { eager: true })

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
  // Too narrow for two columns, whose height stays.
  await page.viewport(800, 860)
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

const Counted = ({ value }: { value: number }) => <output>{useCount(value)}</output>

test('behavior: a total counts up to its new value, at once with reduced motion', async () => {
  for (const [motion, isCounting] of [
    ['no-preference', true],
    ['reduce', false],
  ] as const) {
    await setMotion(motion)
    const { container, rerender, unmount } = await render(<Counted value={100} />)
    const seen: string[] = []
    const changes = new MutationObserver(() => seen.push(container.textContent ?? ''))
    changes.observe(container, { subtree: true, characterData: true, childList: true })
    await rerender(<Counted value={200} />)
    await expect.poll(() => container.textContent).toBe('200')
    const between = seen.map(Number).filter((value) => value > 100 && value < 200)
    expect(between.length > 0, motion).toBe(isCounting)
    expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((a, b) => a - b))
    changes.disconnect()
    await unmount()
  }
})

test('behavior: with reduced motion nothing moves', async () => {
  await setMotion('reduce')
  const { find, stop } = watchLengths()
  await show()
  for (const name of ['slide', 'scale', 'translate', 'height|block-size', 'shake'])
    expect(find(name) ?? 0, name).toBe(0)
  stop()
})

const moves = /translate|rotate|scale|transform|offset|clip-path|inset|margin/

/** All rules of the page's style sheets, also those in layers and media queries. */
const listRules = (rules: Iterable<CSSRule>): CSSRule[] =>
  [...rules].flatMap((rule) => [
    rule,
    ...('cssRules' in rule ? listRules(rule.cssRules as CSSRuleList) : []),
  ])

/** Draws an element that a selector of classes, attributes and tags matches. */
function draw(selector: string): Element {
  const line = selector.split(' ').map((part) => {
    const tag = /^\w+/.exec(part)?.[0]
    const element = tag
      ? document.createElementNS('http://www.w3.org/2000/svg', tag)
      : document.createElement('div')
    for (const [, name = ''] of part.matchAll(/\.([\w-]+)/g)) element.classList.add(name)
    for (const [, name = '', value = ''] of part.matchAll(/\[([\w-]+)(?:="(\w+)")?\]/g))
      element.setAttribute(name, value)
    return element
  })
  line.reduce((parent, child) => parent.appendChild(child), document.body as Element)
  const [first, last] = [line[0], line.at(-1)]
  if (!first || !last) throw new Error(`Nothing matches ${selector}`)
  onTestFinished(() => first.remove())
  return last
}

test('behavior: with reduced motion no animation of a style sheet moves or turns', async () => {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => listRules(cssRules))
  const moving = rules.flatMap((rule) =>
    rule instanceof CSSKeyframesRule && moves.test(rule.cssText) ? rule.name : [],
  )
  const drawn = rules.flatMap((rule) =>
    rule instanceof CSSStyleRule && moving.includes(rule.style.animationName)
      ? rule.selectorText.split(', ').map((selector) => ({ selector, element: draw(selector) }))
      : [],
  )
  const find = () =>
    drawn.flatMap(({ selector, element }) =>
      moving.includes(getComputedStyle(element).animationName) ? selector : [],
    )
  await setMotion('no-preference')
  expect(drawn.length).toBeGreaterThan(8)
  expect(find()).toEqual(drawn.map(({ selector }) => selector))
  await setMotion('reduce')
  expect(find()).toEqual([])
})
