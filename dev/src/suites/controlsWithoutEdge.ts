/**
 * Lists the buttons and fields inside an element that have no edge, which forced colors need. It
 * runs in any page, so it uses nothing outside.
 */
export function controlsWithoutEdge(selector: string): string[] {
  const hasEdge = (control: Element) => {
    const style = getComputedStyle(control)
    const hasOutline = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0
    return hasOutline || Number.parseFloat(style.borderTopWidth) > 0
  }
  return [...(document.querySelector(selector)?.querySelectorAll('*') ?? [])]
    .filter((one) => one.matches('button, input, select, textarea'))
    .map((control) => {
      // A label may cover an invisible field.
      const isInvisible = getComputedStyle(control).opacity === '0'
      return (isInvisible && control.closest('label')) || control
    })
    .filter((control) => control.checkVisibility() && !hasEdge(control))
    .map((one) => `${one.tagName} ${one.className} "${one.textContent?.slice(0, 60)}"`)
}
