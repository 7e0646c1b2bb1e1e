/**
 * A target on a page: by role and name, a field by its label, by text, or by a selector. Names are
 * exact, or a pattern.
 */
export type Target =
  | { button: string | RegExp }
  | { field: string | RegExp }
  | { text: string | RegExp }
  | { css: string }

/**
 * The center of the element found, in the page's coordinates, and whether a press there hits it.
 */
export type FoundTarget = {
  x: number
  y: number
  text: string
  pressable: boolean
  focused: boolean
}

type TargetQuery = { kind: string; source: string; flags: string }

/** A JavaScript expression that finds the target in a page: a {@link FoundTarget}, or null. */
export const findExpression = (target: Target) => `(${find})(${JSON.stringify(toQuery(target))})`

/** A JavaScript expression for the corner of a frame, the origin of the frame's coordinates. */
export const cornerExpression = (frame: string) => `(${cornerOf})(${JSON.stringify(frame)})`

function toQuery(target: Target): TargetQuery {
  const [kind = '', wanted = ''] = Object.entries(target)[0] ?? []
  if (wanted instanceof RegExp) return { kind, source: wanted.source, flags: wanted.flags }
  if (kind === 'css') return { kind, source: wanted, flags: '' }
  return { kind, source: `^${wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, flags: '' }
}

// Runs in the page: the first visible element that matches, preferably an element that can be
// pressed.
function find({ kind, source, flags }: TargetQuery): FoundTarget | null {
  const selectors: Record<string, string> = {
    button: 'button, a, [role="button"]',
    field: 'input, textarea, select',
    text: 'body *',
  }
  const clean = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim()
  const nameOf = (element: Element) => {
    const said = element.getAttribute('aria-label')
    if (said !== null) return said
    const { labels } = element as HTMLInputElement
    if (kind !== 'field') return clean(element.textContent)
    return [...(labels ?? [])].map(({ textContent }) => clean(textContent)).join(' ')
  }
  const matches = (element: Element) =>
    kind === 'css' || new RegExp(source, flags).test(nameOf(element))
  const found = [...document.querySelectorAll(selectors[kind] ?? source)].filter(
    (element) => matches(element) && element.checkVisibility({ visibilityProperty: true }),
  )
  // Chooses the innermost of several elements with the same text.
  const isInnermost = (one: Element) => !found.some((other) => other !== one && one.contains(other))
  const seen = found
    .filter((one) => kind !== 'text' || isInnermost(one))
    .map((element) => {
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const { left, top, width, height } = element.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const hit = document.elementFromPoint(x, y)
      const isDisabled = element.matches(':disabled, [aria-disabled="true"]')
      const pressable = !isDisabled && hit !== null && element.contains(hit)
      const focused = document.activeElement === element
      return { x, y, text: clean(element.textContent), pressable, focused }
    })
  // An element with the same name may be below a dialog.
  return seen.find(({ pressable }) => pressable) ?? seen[0] ?? null
}

// Runs in the page.
function cornerOf(part: string) {
  const frame = [...document.querySelectorAll('iframe')].find(({ src }) => src.includes(part))
  const { left = 0, top = 0 } = frame?.getBoundingClientRect() ?? {}
  return { x: left, y: top }
}
