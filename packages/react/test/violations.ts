import axe from 'axe-core'

/** The maximum number of checks of a view that changes all the time. */
const maxLooks = 6

/**
 * The violations that axe finds in the open dialog, or on the page, once nothing moves. `only`: the
 * ids of the rules to check; all by default.
 */
export async function violations(only?: readonly string[]) {
  for (let looks = 1; ; looks++) {
    await standStill()
    const { found, hasMoved, hasChanged } = await look(only)
    // A movement started by a late part was measured half faded in, and elements that it moved,
    // before the dialog had grown.
    if (looks === maxLooks || (!hasMoved && (found.length === 0 || !hasChanged)))
      return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }
}

/** The violations that axe finds, and whether a movement began or anything changed meanwhile. */
async function look(only: readonly string[] | undefined) {
  const movement = new AbortController()
  const noteMovement = () => movement.abort()
  for (const type of ['animationstart', 'transitionrun'])
    document.addEventListener(type, noteMovement, { signal: movement.signal })
  let hasChanged = false
  const changes = new MutationObserver(() => {
    hasChanged = true
  })
  changes.observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  })
  const { violations: found } = await axe.run(
    document.querySelector('dialog[open]') ?? document.body,
    {
      rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
      ...(only && { runOnly: { type: 'rule' as const, values: [...only] } }),
    },
  )
  hasChanged ||= changes.takeRecords().length > 0
  changes.disconnect()
  const hasMoved = movement.signal.aborted
  movement.abort()
  return { found, hasMoved, hasChanged }
}

/**
 * Resolves when all movements that end by themselves have ended: a label that is still fading in
 * does not have its final contrast.
 */
async function standStill() {
  // To the end of the frame, because code that follows a size runs after the layout.
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  for (let moving = true; moving; ) {
    // Movements that a new size starts begin a frame later.
    await frame()
    await frame()
    const ending = document
      .getAnimations()
      .filter((each) => each.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
    moving = ending.length > 0
  }
}
