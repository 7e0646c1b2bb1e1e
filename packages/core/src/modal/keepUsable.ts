/**
 * Keeps an open dialog usable for pointer, keyboard and screen reader while a dialog of the page is
 * open too. Dialog libraries set `aria-hidden` or `inert` on all elements outside their dialog and
 * block scrolling there. Returns a function that stops this and restores the page's attributes,
 * except those that the page has removed meanwhile.
 */
export function keepUsable(dialog: HTMLElement): () => void {
  const unhidden = new Set<Element>()
  let wasInert = false
  const unmark = () => {
    // A modal dialog is usable within an inert element, but not if it is inert itself.
    if (dialog.inert) {
      wasInert = true
      dialog.inert = false
    }
    for (let at: Element | null = dialog; at; at = at.parentElement) {
      if (at.getAttribute('aria-hidden') !== 'true') continue
      // Not removed, so that we notice if the page removes it.
      at.setAttribute('aria-hidden', 'false')
      unhidden.add(at)
    }
  }
  unmark()
  const observer = new MutationObserver(unmark)
  observer.observe(document, { subtree: true, attributeFilter: ['inert', 'aria-hidden'] })
  // A page's lock on scrolling listens at the document.
  for (const type of scrolls) dialog.addEventListener(type, stop, { passive: true })
  return () => {
    observer.disconnect()
    for (const type of scrolls) dialog.removeEventListener(type, stop)
    if (wasInert) dialog.inert = true
    for (const element of unhidden)
      if (element.getAttribute('aria-hidden') === 'false')
        element.setAttribute('aria-hidden', 'true')
  }
}

const scrolls = ['wheel', 'touchmove'] as const

const stop = (event: Event) => event.stopPropagation()
