/**
 * Lists the buttons, links and fields inside an element that a finger may miss: less than 44 by 44
 * px around their middle can be pressed. A link inside a sentence is as high as its line. It runs
 * in any page, so it uses nothing outside.
 */
export function smallTargets(selector: string): string[] {
  const controls = 'button, a[href], input, select, textarea, summary, [role="button"]'
  const isInText = (control: Element) =>
    getComputedStyle(control).display === 'inline' &&
    (control.parentElement?.textContent?.trim().length ?? 0) >
      (control.textContent?.trim().length ?? 0)
  const isSmall = (target: Element) => {
    const { width, height } = target.getBoundingClientRect()
    if (width >= 43.5 && height >= 43.5) return false
    target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const { x, y } = target.getBoundingClientRect()
    const [middleX, middleY] = [x + width / 2, y + height / 2]
    // Its area may be larger than it looks.
    const isPressed = (byX: number, byY: number) =>
      target.contains(document.elementFromPoint(middleX + byX, middleY + byY))
    const isWide = width >= 43.5 || (isPressed(-21, 0) && isPressed(21, 0))
    return !isWide || !(height >= 43.5 || (isPressed(0, -21) && isPressed(0, 21)))
  }
  const found = document.querySelector(selector)?.querySelectorAll(controls) ?? []
  return (
    [...new Set([...found].map((control) => control.closest('label') ?? control))]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert]'))
      // What only screen readers or the keyboard reach.
      .filter((one) => getComputedStyle(one).clipPath === 'none')
      .filter((one) => !isInText(one) && isSmall(one))
      .map((one) => `${one.tagName} ${one.className} "${one.textContent?.slice(0, 60)}"`)
  )
}
